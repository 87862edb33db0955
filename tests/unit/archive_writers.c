/* Several writers at once, writers that are killed, and a disk that is full: what was acknowledged is there, and the
 * file is sound. */
#include "sim/experiment/archive/archive_inside.h"
#include "tests/support/made_archive.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static const struct made_sizes sizes = {30, 0, 2, 5, 20, 1, true};

struct place {
    char folder[64], path[96];
};

static struct unit unit_of(size_t number)
{
    return (struct unit){number % 3, number / 3};
}

static bool tell(int descriptor, uint32_t number)
{
    return descriptor < 0 || write(descriptor, &number, sizeof number) == (ssize_t)sizeof number;
}

/* Saves units from..to, and tells of each, and before of that it begins. False with the message of what failed. */
static bool write_units(const char *path, bool resume, size_t from, size_t to, int told, char *message)
{
    struct archive *archive;
    struct archive_run *run;
    struct experiment *experiment = open_small(SMALL, NULL);
    struct archive_request request = {.experiment = experiment, .resume = resume};
    bool fine = tell(told, UINT32_MAX) &&
                archive_open(path, ARCHIVE_WRITE, &archive, message) == ARCHIVE_FINE &&
                archive_run_begin(archive, &request, &run, message) == ARCHIVE_FINE;
    for (size_t i = from; fine && i < to; i++) {
        struct unit_outcome made = made_outcome(i, &sizes);
        struct keeper *keeper = archive_run_keeper(run);
        fine = keeper->operations->save(keeper, unit_of(i), &made, message);
        unit_release(&made);
        fine = fine && tell(told, (uint32_t)i);
    }
    if (fine) {
        archive_run_release(run);
        archive_close(archive);
    }
    experiment_close(experiment);
    return fine;
}

/* Units from..to of a run are there as they were made. */
static void assert_units(const char *path, int64_t id, size_t from, size_t to)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct archive *archive = open_fine(path, ARCHIVE_READ);
    struct archive_run *run;
    assert_int_equal(archive_run_open(archive, id, &run, message), ARCHIVE_FINE);
    struct keeper *keeper = archive_run_keeper(run);
    for (size_t i = from; i < to; i++) {
        struct unit_outcome made = made_outcome(i, &sizes), kept;
        if (keeper->operations->load(keeper, unit_of(i), true, &kept, message) != KEEPER_HAS_IT)
            fail_msg("unit %zu is not there: %s", i, message);
        assert_true(same_figures(&made, &kept) && same_records(&made, &kept));
        unit_release(&kept);
        unit_release(&made);
    }
    archive_run_release(run);
    archive_close(archive);
}

enum { EACH = 40, WRITERS = 3 };

struct writing {
    const char *path;
    size_t from;
    char message[UNIT_MESSAGE_SIZE];
    bool fine;
};

static void *write_in_thread(void *context)
{
    struct writing *writing = context;
    writing->fine =
        write_units(writing->path, true, writing->from, writing->from + EACH, -1, writing->message);
    return NULL;
}

/* All of them make the archive, and all write to one run. */
static void test_threads(void **state)
{
    (void)state;
    struct place place;
    make_place(place.folder, place.path);
    struct writing writings[WRITERS];
    pthread_t threads[WRITERS];
    for (size_t i = 0; i < WRITERS; i++) {
        writings[i] = (struct writing){.path = place.path, .from = i * (EACH - 5)}; /* some units by two */
        assert_int_equal(pthread_create(&threads[i], NULL, write_in_thread, &writings[i]), 0);
    }
    for (size_t i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < WRITERS; i++)
        if (!writings[i].fine)
            fail_msg("%s", writings[i].message);
    assert_true(is_sound(place.path));
    size_t units = WRITERS * EACH - 5 * (WRITERS - 1);
    assert_int_equal(sql_number(place.path, "SELECT count(*) FROM run"), 1);
    assert_int_equal(sql_number(place.path, "SELECT count(*) FROM unit"), units);
    assert_int_equal(sql_number(place.path, "SELECT count(*) FROM metric"), units * sizes.metrics);
    assert_units(place.path, 1, 0, units);
    remove_place(place.folder);
}

static pid_t start_writer(const char *path, bool resume, size_t from, size_t to, int told)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    char message[UNIT_MESSAGE_SIZE] = "";
    bool fine = write_units(path, resume, from, to, told, message);
    if (!fine)
        fprintf(stderr, "%s\n", message);
    _exit(!fine);
}

static void test_processes(void **state)
{
    (void)state;
    struct place place;
    make_place(place.folder, place.path);
    pid_t children[WRITERS];
    for (size_t i = 0; i < WRITERS; i++)
        children[i] = start_writer(place.path, false, i * EACH, (i + 1) * EACH, -1);
    for (size_t i = 0; i < WRITERS; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_true(is_sound(place.path));
    assert_int_equal(sql_number(place.path, "SELECT count(*) FROM run"), WRITERS);
    for (int64_t run = 1; run <= WRITERS; run++) {
        char sql[64];
        snprintf(sql, sizeof sql, "SELECT min(cell + 3 * replication) FROM unit WHERE run = %d", (int)run);
        size_t from = (size_t)sql_number(place.path, sql) - 4;
        assert_units(place.path, run, from, from + EACH);
    }
    remove_place(place.folder);
}

/* Kills a writer some microseconds after it has begun and told of some units. Returns how many it had told of. */
static size_t kill_writer(const char *path, size_t from, size_t after_units, uint64_t after_us)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = start_writer(path, true, from, from + 1000, ends[1]);
    close(ends[1]);
    uint32_t number = 0;
    size_t told = 0;
    assert_int_equal(read(ends[0], &number, sizeof number), sizeof number);
    for (; told < after_units; told++)
        assert_int_equal(read(ends[0], &number, sizeof number), sizeof number);
    nanosleep(&(struct timespec){.tv_nsec = (long)(1000 * after_us)}, NULL);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    for (; read(ends[0], &number, sizeof number) == (ssize_t)sizeof number; told++)
        assert_int_equal(number, from + told);
    close(ends[0]);
    return told;
}

/* A hundred kills, at any moment from the making of the file on; ten each to one archive. */
static void test_killed(void **state)
{
    (void)state;
    enum { KILLS = 100, KILLS_EACH = 10 };
    struct made_numbers numbers = {(uint64_t)20261130};
    struct place place;
    size_t told_in_all = 0, kept = 0;
    for (int i = 0; i < KILLS; i++) {
        if (i % KILLS_EACH == 0) {
            make_place(place.folder, place.path);
            kept = 0;
        }
        size_t told = kill_writer(place.path, kept, (size_t)i % 4, made_bits(&numbers) % 5000);
        told_in_all += told;
        if (access(place.path, F_OK) == 0) {
            if (!is_sound(place.path))
                fail_msg("not sound after kill %d", i);
            int64_t there = 0;
            if (sql_number(place.path, "SELECT count(*) FROM sqlite_schema") > 0)
                there = sql_number(place.path, "SELECT count(*) FROM unit");
            /* One may be kept and not told of yet. */
            assert_true((size_t)there == kept + told || (size_t)there == kept + told + 1);
            kept = (size_t)there;
            if (kept > 0)
                assert_units(place.path, 1, 0, kept);
        } else {
            assert_int_equal(told, 0);
        }
        if (i % KILLS_EACH == KILLS_EACH - 1)
            remove_place(place.folder);
    }
    assert_true(told_in_all > KILLS); /* they were killed at work */
}

/* As full a disk as SQLite can play: the file may not grow. */
static void test_full(void **state)
{
    (void)state;
    struct place place;
    make_place(place.folder, place.path);
    struct experiment *experiment = open_small(SMALL, NULL);
    struct archive *archive = open_fine(place.path, ARCHIVE_WRITE);
    struct archive_run *run = begin_fine(archive, &(struct archive_request){.experiment = experiment});
    assert_true(archive_do(archive, "PRAGMA max_page_count = 80", ""));
    char message[UNIT_MESSAGE_SIZE] = "";
    struct keeper *keeper = archive_run_keeper(run);
    size_t kept = 0;
    bool fine = true;
    while (fine && kept < 1000) {
        struct unit_outcome made = made_outcome(kept, &sizes);
        fine = keeper->operations->save(keeper, unit_of(kept), &made, message);
        kept += fine;
        unit_release(&made);
    }
    assert_true(kept >= 2 && kept < 1000);
    assert_non_null(strstr(message, "the disk is full"));
    assert_non_null(strstr(message, "cannot keep cell "));
    assert_null(strchr(message, '\n'));
    assert_true(is_sound(place.path));
    assert_int_equal(sql_number(place.path, "SELECT count(*) FROM unit"), kept);
    /* With room again it goes on. */
    assert_true(archive_do(archive, "PRAGMA max_page_count = 100000", ""));
    struct unit_outcome made = made_outcome(kept, &sizes);
    save_fine(run, unit_of(kept), &made);
    unit_release(&made);
    assert_int_equal(archive_run_finish(run, NULL, message), ARCHIVE_FINE);
    archive_run_release(run);
    archive_close(archive);
    experiment_close(experiment);
    assert_true(is_sound(place.path));
    assert_units(place.path, 1, 0, kept + 1);
    remove_place(place.folder);
}

/* The system refuses to write more, in the log or in the file, at all kinds of places. */
static void test_refused_writes(void **state)
{
    (void)state;
    for (rlim_t limit = 20000; limit < 900000; limit = limit * 5 / 4) {
        struct place place;
        make_place(place.folder, place.path);
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            char message[UNIT_MESSAGE_SIZE] = "";
            signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit});
            bool fine = write_units(place.path, true, 0, 400, -1, message);
            _exit(fine || message[0] == '\0' || strchr(message, '\n') != NULL);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_true(is_sound(place.path));
        if (sql_number(place.path, "SELECT count(*) FROM sqlite_schema") > 0) {
            size_t kept = (size_t)sql_number(place.path, "SELECT count(*) FROM unit");
            if (kept > 0)
                assert_units(place.path, 1, 0, kept);
            assert_true(kept < 400);
        }
        remove_place(place.folder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads), cmocka_unit_test(test_processes),      cmocka_unit_test(test_killed),
        cmocka_unit_test(test_full),    cmocka_unit_test(test_refused_writes),
    };
    return RUN_TESTS(tests);
}
