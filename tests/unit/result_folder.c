/* Result folders: there whole or not at all, and nobody's other files touched. */
#include "sim/experiment/result/folder.h"
#include "tests/support/check.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char base[64];

static int enter_base(void **state)
{
    (void)state;
    strcpy(base, "/tmp/vdisim-folder-XXXXXX");
    return mkdtemp(base) == NULL || chdir(base) != 0;
}

static size_t entries(const char *path)
{
    size_t count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static bool write_folder(const char *path, bool replace, const char *content, char *message)
{
    struct folder *folder = folder_create(path, replace, message, 256);
    if (folder == NULL)
        return false;
    write_text(folder_open(folder, "manifest.json"), "%s", content);
    folder_close_file(folder);
    return folder_commit(folder, message, 256);
}

static void expect_content(const char *path, const char *expected)
{
    char content[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(content, sizeof content, file));
    fclose(file);
    assert_string_equal(content, expected);
}

static void test_commit_and_replace(void **state)
{
    (void)state;
    char message[256];
    assert_int_equal(folder_check("results/a", false, message, sizeof message), FOLDER_FINE);
    assert_true(write_folder("results/a", false, "one", message));
    expect_content("results/a/manifest.json", "one");
    assert_int_equal(folder_check("results/a", false, message, sizeof message), FOLDER_EXISTS);
    assert_non_null(strstr(message, "--force"));
    assert_false(write_folder("results/a", false, "two", message));
    expect_content("results/a/manifest.json", "one");
    assert_int_equal(folder_check("results/a", true, message, sizeof message), FOLDER_FINE);
    assert_true(write_folder("results/a/", true, "two", message));
    expect_content("results/a/manifest.json", "two");
    assert_int_equal(entries("results"), 1);
    assert_int_equal(entries("results/a"), 1);
}

static void test_what_is_no_result_is_not_replaced(void **state)
{
    (void)state;
    char message[256];
    assert_int_equal(mkdir("mine", 0777), 0);
    assert_int_equal(folder_check("mine", true, message, sizeof message), FOLDER_EXISTS);
    FILE *file = fopen("file", "w");
    fclose(file);
    assert_int_equal(folder_check("file", true, message, sizeof message), FOLDER_EXISTS);
    assert_int_equal(folder_check("file/below", false, message, sizeof message), FOLDER_REFUSED);
}

static void test_abandoned(void **state)
{
    (void)state;
    char message[256];
    struct folder *folder = folder_create("above/b", false, message, sizeof message);
    assert_non_null(folder);
    write_text(folder_open(folder, "cells.csv"), "half");
    folder_abandon(folder);
    assert_int_equal(entries("above"), 0);
}

/* A file that cannot be opened makes the commit fail, and nothing is left. */
static void test_failed_file(void **state)
{
    (void)state;
    char message[256];
    struct folder *folder = folder_create("failed/c", false, message, sizeof message);
    assert_non_null(folder);
    write_text(folder_open(folder, "no/such/place"), "x");
    folder_close_file(folder);
    assert_false(folder_commit(folder, message, sizeof message));
    assert_non_null(strstr(message, "no/such/place"));
    assert_int_equal(entries("failed"), 0);
}

static void test_read_only_place(void **state)
{
    (void)state;
    char message[256];
    assert_int_equal(folder_check("/proc/nothing/d", false, message, sizeof message), FOLDER_REFUSED);
    assert_null(folder_create("/proc/nothing/d", false, message, sizeof message));
    assert_non_null(strstr(message, "cannot write results to '/proc/nothing/d'"));
}

static int remove_base(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", base);
    return chdir("/") != 0 || system(command) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commit_and_replace), cmocka_unit_test(test_what_is_no_result_is_not_replaced),
        cmocka_unit_test(test_abandoned),          cmocka_unit_test(test_failed_file),
        cmocka_unit_test(test_read_only_place),
    };
    return cmocka_run_group_tests(tests, enter_base, remove_base) != 0;
}
