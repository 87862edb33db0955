/* What is no archive is refused in one line that says what it is instead; what is damaged is noticed and never
 * followed blindly. */
#include "sim/experiment/archive/archive_metrics.h"
#include "sim/experiment/archive/archive_query.h"
#include "tests/support/made_archive.h"

#include <sys/stat.h>

struct place {
    char folder[64], path[96];
};

static void write_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void assert_refused(const char *path, enum archive_access access, enum archive_status expected,
                           const char *part)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct archive *archive;
    enum archive_status status = archive_open(path, access, &archive, message);
    if (status != expected || strstr(message, part) == NULL || strchr(message, '\n') != NULL)
        fail_msg("status %d: %s\nexpected: %s", (int)status, message, part);
    assert_null(archive);
}

static void test_no_archive(void **state)
{
    (void)state;
    struct place place;
    make_place(place.folder, place.path);
    assert_refused(place.path, ARCHIVE_READ, ARCHIVE_FAILED, "No such file or directory");
    for (int i = 0; i < 2; i++) {
        enum archive_access access = i == 0 ? ARCHIVE_READ : ARCHIVE_WRITE;
        assert_refused(place.folder, access, ARCHIVE_REFUSED, "it is a folder");
        assert_refused("/dev/null", access, ARCHIVE_REFUSED, "it is no regular file");
        write_file(place.path, "experiment: x\n", 14);
        assert_refused(place.path, access, ARCHIVE_REFUSED, "it is no SQLite file");
        write_file(place.path, "SQLite format 3", 16);
        assert_refused(place.path, access, ARCHIVE_REFUSED, "damaged");
        unlink(place.path);
    }
    write_file(place.path, "", 0);
    assert_refused(place.path, ARCHIVE_READ, ARCHIVE_REFUSED, "it is empty");
    struct stat status;
    assert_int_equal(stat(place.path, &status), 0);
    assert_int_equal(status.st_size, 0);
    archive_close(open_fine(place.path, ARCHIVE_WRITE));
    archive_close(open_fine(place.path, ARCHIVE_READ));
    char below[128];
    snprintf(below, sizeof below, "%s/no/such/folder.sqlite", place.folder);
    assert_refused(below, ARCHIVE_WRITE, ARCHIVE_FAILED, "No such file or directory");
    snprintf(below, sizeof below, "%s/below", place.path);
    assert_refused(below, ARCHIVE_WRITE, ARCHIVE_FAILED, "Not a directory");
    remove_place(place.folder);
}

static void test_another_programs_file(void **state)
{
    (void)state;
    struct place place;
    make_place(place.folder, place.path);
    write_file(place.path, "", 0);
    sql_do(place.path, "CREATE TABLE run (id INTEGER)");
    assert_refused(place.path, ARCHIVE_READ, ARCHIVE_REFUSED, "it is an SQLite file of another program");
    assert_refused(place.path, ARCHIVE_WRITE, ARCHIVE_REFUSED, "it is an SQLite file of another program");
    assert_int_equal(sql_number(place.path, "SELECT count(*) FROM sqlite_schema"), 1);
    remove_place(place.folder);
}

static void test_newer_schema(void **state)
{
    (void)state;
    struct place place;
    make_place(place.folder, place.path);
    archive_close(open_fine(place.path, ARCHIVE_WRITE));
    sql_do(place.path, "PRAGMA user_version = 7");
    assert_refused(place.path, ARCHIVE_READ, ARCHIVE_REFUSED, "has schema 7 and this vdisim knows 2");
    assert_refused(place.path, ARCHIVE_WRITE, ARCHIVE_REFUSED, "has schema 7 and this vdisim knows 2");
    sql_do(place.path, "PRAGMA user_version = 0");
    assert_refused(place.path, ARCHIVE_WRITE, ARCHIVE_REFUSED, "damaged: it has schema 0");
    remove_place(place.folder);
}

/* One of a vdisim that did not tell workloads apart can be read as it is, and is brought up to date to be written to. */
static void test_older_schema(void **state)
{
    (void)state;
    struct place place;
    make_place(place.folder, place.path);
    archive_close(open_fine(place.path, ARCHIVE_WRITE));
    sql_do(place.path, "DROP TABLE workload_minute; PRAGMA user_version = 1");
    archive_close(open_fine(place.path, ARCHIVE_READ));
    assert_int_equal(sql_number(place.path, "PRAGMA user_version"), 1);
    archive_close(open_fine(place.path, ARCHIVE_WRITE));
    assert_int_equal(sql_number(place.path, "PRAGMA user_version"), 2);
    assert_int_equal(sql_number(place.path, "SELECT count(*) FROM workload_minute"), 0);
    remove_place(place.folder);
}

/* Names that SQLite would take for something else. */
static void test_odd_names(void **state)
{
    (void)state;
    struct place place;
    make_place(place.folder, place.path);
    static const char *const names[] = {":memory:", "file:x?mode=memory", "a b'c\"d%20.sqlite", "-x"};
    char before[512];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(place.folder), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        archive_close(open_fine(names[i], ARCHIVE_WRITE));
        assert_int_equal(access(names[i], F_OK), 0);
        archive_close(open_fine(names[i], ARCHIVE_READ));
    }
    assert_int_equal(chdir(before), 0);
    remove_place(place.folder);
}

static const struct made_sizes sizes = {30, 2, 2, 10, 60, 2, true};

static void fill_archive(const char *path, size_t units)
{
    struct experiment *experiment = open_small(SMALL, NULL);
    struct archive *archive = open_fine(path, ARCHIVE_WRITE);
    struct archive_run *run = begin_fine(archive, &(struct archive_request){.experiment = experiment});
    for (size_t i = 0; i < units; i++) {
        struct unit_outcome made = made_outcome(i, &sizes);
        save_fine(run, (struct unit){i % 3, i / 3}, &made);
        unit_release(&made);
    }
    archive_run_release(run);
    archive_close(archive);
    experiment_close(experiment);
}

static bool ignore_columns(struct archive_rows *rows, const char *const *names, size_t count)
{
    (void)rows, (void)names, (void)count;
    return true;
}

static bool ignore_row(struct archive_rows *rows, const struct archive_value *values, size_t count)
{
    (void)rows, (void)values, (void)count;
    return true;
}

/* Reads all there is. Counts units that come back as they were; one that comes back otherwise is a failure. */
static size_t read_all(const char *path, size_t units)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct archive *archive;
    struct archive_run *run;
    size_t same = 0;
    if (archive_open(path, ARCHIVE_READ, &archive, message) != ARCHIVE_FINE)
        return 0;
    if (archive_run_open(archive, 1, &run, message) == ARCHIVE_FINE) {
        struct keeper *keeper = archive_run_keeper(run);
        for (size_t i = 0; i < units; i++) {
            struct unit_outcome made = made_outcome(i, &sizes), kept;
            message[0] = '\0';
            if (keeper->operations->load(keeper, (struct unit){i % 3, i / 3}, true, &kept, message) ==
                KEEPER_HAS_IT) {
                if (!same_figures(&made, &kept) || !same_records(&made, &kept))
                    fail_msg("unit %zu of %s is another", i, path);
                same++;
            } else {
                assert_null(strchr(message, '\n'));
            }
            unit_release(&kept);
            unit_release(&made);
        }
        archive_run_release(run);
    }
    struct archive_metrics *metrics;
    if (archive_metrics_load(archive, 0, &metrics, message) == ARCHIVE_FINE)
        archive_metrics_free(metrics);
    struct archive_rows rows = {ignore_columns, ignore_row};
    archive_ask(archive, "SELECT * FROM logons", &rows, message);
    archive_close(archive);
    return same;
}

/* Random bytes over the pages, one to a few hundred of them: what is still returned is as it was. */
static void test_random_damage(void **state)
{
    (void)state;
    enum { UNITS = 6, ROUNDS = 150 };
    struct place place;
    make_place(place.folder, place.path);
    fill_archive(place.path, UNITS);
    assert_int_equal(read_all(place.path, UNITS), UNITS);
    FILE *file = fopen(place.path, "r");
    assert_non_null(file);
    static char bytes[4 << 20], damaged[sizeof bytes];
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(length > 4096 && length < sizeof bytes);
    struct made_numbers numbers = {42};
    size_t whole = 0;
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(damaged, bytes, length);
        size_t count = (size_t)1 << round % 9;
        for (size_t i = 0; i < count; i++)
            damaged[made_bits(&numbers) % length] = (char)made_bits(&numbers);
        write_file(place.path, damaged, length);
        whole += read_all(place.path, UNITS) == UNITS;
    }
    assert_true(whole >= 1 &&
                whole <= ROUNDS / 2); /* a byte in a title or a free page hurts nobody; most hurt */
    remove_place(place.folder);
}

static void test_truncated(void **state)
{
    (void)state;
    enum { UNITS = 6 };
    struct place place;
    make_place(place.folder, place.path);
    fill_archive(place.path, UNITS);
    struct stat status;
    assert_int_equal(stat(place.path, &status), 0);
    for (off_t length = status.st_size - 1; length > 0; length -= status.st_size / 17) {
        assert_int_equal(truncate(place.path, length), 0);
        size_t whole = read_all(place.path, UNITS);
        assert_true(whole < UNITS || length > status.st_size * 2 / 3); /* the last pages may be of an index */
    }
    remove_place(place.folder);
}

struct counting {
    struct archive_rows rows;
    size_t row_count;
};

static bool count_row(struct archive_rows *rows, const struct archive_value *values, size_t count)
{
    (void)values, (void)count;
    ((struct counting *)rows)->row_count++;
    return true;
}

/* A query reads, and nothing else. */
static void test_queries_only_read(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "DELETE FROM run",
        "INSERT INTO warning VALUES (1, 2, 'x')",
        "UPDATE unit SET cell = 1",
        "DROP VIEW runs",
        "CREATE TABLE x (y)",
        "CREATE TEMP TABLE x (y)",
        "PRAGMA user_version = 3",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON",
        "VACUUM",
        "VACUUM INTO '/tmp/vdisim-vacuum.sqlite'",
        "ATTACH '/tmp/vdisim-attach.sqlite' AS x",
        "BEGIN IMMEDIATE",
        "REINDEX",
        "ANALYZE",
        "SELECT 1; SELECT 2",
        "SELECT nothing",
        "SELEKT 1",
        "",
        " ; ",
        "SELECT load_extension('x')",
    };
    struct place place;
    make_place(place.folder, place.path);
    fill_archive(place.path, 2);
    struct archive *archive = open_fine(place.path, ARCHIVE_READ);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char message[UNIT_MESSAGE_SIZE] = "";
        struct counting counting = {{ignore_columns, count_row}, 0};
        if (archive_ask(archive, refused[i], &counting.rows, message) != ARCHIVE_REFUSED ||
            message[0] == '\0' || counting.row_count > 0)
            fail_msg("not refused: %s (%s)", refused[i], message);
    }
    char message[UNIT_MESSAGE_SIZE] = "";
    struct counting counting = {{ignore_columns, count_row}, 0};
    assert_int_equal(archive_ask(archive, "SELECT * FROM metrics ; -- all", &counting.rows, message),
                     ARCHIVE_REFUSED);
    assert_int_equal(archive_ask(archive, "SELECT * FROM metrics;\n", &counting.rows, message), ARCHIVE_FINE);
    assert_int_equal(counting.row_count, 60);
    assert_int_equal(archive_ask(archive, "PRAGMA integrity_check", &counting.rows, message), ARCHIVE_FINE);
    assert_int_equal(
        archive_ask(archive, "WITH x AS (SELECT 1) SELECT json_array(1) FROM x", &counting.rows, message),
        ARCHIVE_FINE);
    archive_close(archive);
    assert_int_equal(read_all(place.path, 2), 2);
    remove_place(place.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_archive),   cmocka_unit_test(test_another_programs_file),
        cmocka_unit_test(test_newer_schema), cmocka_unit_test(test_older_schema),
        cmocka_unit_test(test_odd_names),    cmocka_unit_test(test_random_damage),
        cmocka_unit_test(test_truncated),    cmocka_unit_test(test_queries_only_read),
    };
    return RUN_TESTS(tests);
}
