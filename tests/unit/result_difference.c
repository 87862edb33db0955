/* Where a file on the disk first differs from the same file written anew. */
#include "sim/experiment/result/file_difference.h"
#include "tests/support/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static int make_path(void **state)
{
    (void)state;
    strcpy(path, "/tmp/vdisim-difference-XXXXXX");
    int descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0;
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path) != 0;
}

static struct file_difference *compare(const char *old, const char *new)
{
    FILE *file = fopen(path, "w");
    fputs(old, file);
    fclose(file);
    struct file_difference *difference = file_difference_create(path);
    assert_non_null(difference);
    for (const char *at = new; *at != '\0'; at++) /* in pieces, as a writer does */
        write_text(file_difference_writer(difference), "%c", *at);
    assert_true(file_difference_finish(difference));
    assert_true(difference->is_there);
    return difference;
}

#define RUNS  "cell,tier,replication,iops.mean [IOPS],profile_load.mean [s]\n"
#define CELLS "cell,replications,metric,unit,mean,ci95_low\n"

static void test_files(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        bool is_same;
        size_t line;
        const char *where, *was, *is;
    } cases[] = {
        {"a\n", "a\n", true, 0, "", "", ""},
        {"", "", true, 0, "", "", ""},
        {RUNS "1,hot,1,5,6.5\n1,hot,2,5,6.25\n", RUNS "1,hot,1,5,6.5\n1,hot,2,5,6.75\n", false, 3,
         "profile_load.mean [s] in cell 1, replication 2", "6.25", "6.75"},
        {RUNS "1,hot,1,5,6.5\n", RUNS "1,hot,1,7,6.75\n", false, 2,
         "iops.mean [IOPS] in cell 1, replication 1", "5", "7"},
        {CELLS "1,6,iops.mean,IOPS,5,4\n2,6,profile_load.p95,s,7,6\n",
         CELLS "1,6,iops.mean,IOPS,5,4\n2,6,profile_load.p95,s,7,6.5\n", false, 3,
         "ci95_low of profile_load.p95 in cell 2", "6", "6.5"},
        {RUNS "1,\"a, \"\"b\"\"\",1,5,6\n", RUNS "1,\"a, \"\"c\"\"\",1,5,6\n", false, 2,
         "tier in cell 1, replication 1", "a, \"b\"", "a, \"c\""},
        {RUNS "1,hot,1,5,\n", RUNS "1,hot,1,5,6\n", false, 2,
         "profile_load.mean [s] in cell 1, replication 1", "", "6"},
        {RUNS "1,hot,1,5,6\n", RUNS, false, 2, "", "1,hot,1,5,6", ""},
        {RUNS, RUNS "1,hot,1,5,6\n", false, 2, "", "", "1,hot,1,5,6"},
        {"a,b\n1,2\n", "a,c\n1,2\n", false, 1, "", "a,b", "a,c"},
        {RUNS "1,hot,1\n", RUNS "1,hot,1,5,6\n", false, 2, "", "1,hot,1", "1,hot,1,5,6"},
        {"a\n1", "a\n1\n", false, 2, "", "1", "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct file_difference *difference = compare(cases[i].old, cases[i].new);
        char sha256[SHA256_HEX_SIZE];
        sha256_text(cases[i].new, strlen(cases[i].new), sha256);
        assert_string_equal(difference->sha256, sha256);
        assert_int_equal(difference->is_same, cases[i].is_same);
        if (!cases[i].is_same) {
            assert_int_equal(difference->line, cases[i].line);
            assert_string_equal(difference->where, cases[i].where);
            assert_string_equal(difference->was, cases[i].was);
            assert_string_equal(difference->is, cases[i].is);
        }
        file_difference_destroy(difference);
    }
}

static void test_no_file(void **state)
{
    (void)state;
    struct file_difference *difference = file_difference_create("/tmp/vdisim-there-is-no-such-file");
    write_text(file_difference_writer(difference), "abc");
    assert_true(file_difference_finish(difference));
    assert_false(difference->is_there || difference->is_same);
    assert_string_equal(difference->sha256,
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    file_difference_destroy(difference);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, make_path, remove_path),
        cmocka_unit_test(test_no_file),
    };
    return RUN_TESTS(tests);
}
