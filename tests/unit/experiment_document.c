/* Documents: what part of YAML is read, what is refused with which message, and where. */
#include "tests/support/check.h"
#include "tests/support/problems.h"

#include "sim/experiment/read/document.h"

#include <sys/stat.h>
#include <unistd.h>

struct fixture {
    struct arena *arena;
    struct problems *problems;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->arena = arena_create();
    fixture->problems = problems_create();
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    arena_destroy(fixture->arena);
    problems_destroy(fixture->problems);
    free(fixture);
    return 0;
}

static const struct node *parse(struct fixture *fixture, const char *text)
{
    problems_show_source(fixture->problems, "x.yaml", text, strlen(text));
    return document_parse(fixture->arena, "x.yaml", text, strlen(text), fixture->problems);
}

static void a_tree_has_positions(void **state)
{
    struct fixture *fixture = *state;
    const struct node *root =
        parse(fixture, "# hello\nstores:\n  profiles: {tier: 'a/b', size: 5 TiB}\nlist: [1, two]\n");
    assert_no_errors(fixture->problems);
    const struct node *size = node_at_path(root, "stores.profiles.size");
    assert_string_equal(size->text, "5 TiB");
    assert_int_equal(size->at.line, 3);
    assert_int_equal(size->at.column, 33);
    assert_int_equal(size->at.end_column, 38);
    assert_true(node_at_path(root, "stores.profiles.tier")->quoted);
    assert_int_equal(node_entry(root, "list")->key_at.line, 4);
    assert_string_equal(node_text(fixture->arena, root),
                        "{stores: {profiles: {tier: a/b, size: 5 TiB}}, list: [1, two]}");
    assert_null(node_at_path(root, "stores.none.size"));
}

static void setting_shares_what_it_leaves_alone(void **state)
{
    struct fixture *fixture = *state;
    struct position at = {.file = "--set"};
    const struct node *root = parse(fixture, "a: {b: {c: 1}, d: {e: 2}}\nf: bare\n");
    const struct node *with =
        node_with(fixture->arena, root, "a.b.c", at, node_scalar(fixture->arena, "9", at));
    assert_string_equal(node_at_path(with, "a.b.c")->text, "9");
    assert_string_equal(node_at_path(root, "a.b.c")->text, "1");
    assert_ptr_equal(node_at_path(with, "a.d"), node_at_path(root, "a.d"));
    assert_ptr_not_equal(node_at_path(with, "a.b"), node_at_path(root, "a.b"));
    with = node_with(fixture->arena, root, "a.new.key", at, node_scalar(fixture->arena, "3", at));
    assert_string_equal(node_at_path(with, "a.new.key")->text, "3");
    with = node_with(fixture->arena, root, "f.key", at, node_scalar(fixture->arena, "3", at));
    assert_string_equal(node_get(node_get(with, "f"), NODE_BARE)->text, "bare");
    assert_string_equal(node_text(fixture->arena, node_get(with, "f")), "{bare, key: 3}");
}

static void bad_documents_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "x.yaml: error: is empty"},
        {"# only a comment\n", "x.yaml: error: is empty"},
        {"---\n", "x.yaml: error: is empty"},
        {"a: 1\na: 2\n", "x.yaml:2:1: error: duplicate key 'a'; it stands in line 1 already"},
        {"a: &x 1\n", "x.yaml:1:4: error: anchors (&name) are not allowed"},
        {"a: *x\n", "x.yaml:1:4: error: aliases (*name) are not allowed"},
        {"a: !!int 1\n", "x.yaml:1:4: error: tags (!name) are not allowed"},
        {"a: &l [x,x]\nb: &m [*l,*l]\nc: [*m,*m]\n", "x.yaml:1:4: error: anchors"},
        {"a: 1\n---\nb: 2\n", "x.yaml:2:1: error: a second document begins here"},
        {"a: 1\n b: 2\n", "x.yaml:2:3: error: mapping values are not allowed"},
        {"a: [1, 2\n",
         "error: did not find expected ',' or ']', while parsing a flow sequence that begins in line 1"},
        {"a: \xFF\n", "x.yaml:1:4: error: byte 0xFF is not UTF-8"},
        {"a: \xC0\x80\n", "x.yaml:1:4: error: byte 0xC0 is not UTF-8"},
        {"a: \xED\xA0\x80\n", "is not UTF-8"},
        {"a: b\x01\n", "x.yaml:1:5: error: control character 0x01"},
        {"a: \"\\0\"\n", "x.yaml:1:4: error: a text must not contain NUL"},
        {"\xFF\xFE"
         "a",
         "x.yaml: error: is UTF-16; save it as UTF-8"},
        {"? [a]\n: b\n", "x.yaml:1:3: error: a key must be a plain word"},
        {"'': b\n", "x.yaml:1:1: error: a key is missing"},
        {"%YAML 9.9\n---\na: 1\n", "found incompatible YAML document"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        void *own;
        set_up(&own);
        parse(own, cases[i].text);
        assert_true(problems_errors(((struct fixture *)own)->problems) > 0);
        assert_problem(((struct fixture *)own)->problems, cases[i].expected);
        tear_down(&own);
    }
}

/* Where there is one anchor or alias there are more: one says it. */
static void the_first_anchor_or_alias_ends_it(void **state)
{
    struct fixture *fixture = *state;
    assert_null(
        document_parse(fixture->arena, "x.yaml", "a: &l [x,x]\nb: &m [*l,*l]\n", 27, fixture->problems));
    assert_int_equal(problems_errors(fixture->problems), 1);
    assert_null(
        document_parse(fixture->arena, "y.yaml", "a: [*l, *l, *m]\nb: &m x\n", 24, fixture->problems));
    assert_int_equal(problems_errors(fixture->problems), 2);
}

static void a_nul_byte_is_refused(void **state)
{
    struct fixture *fixture = *state;
    assert_null(document_parse(fixture->arena, "x.yaml", "a: b\0c", 6, fixture->problems));
    assert_problem(fixture->problems, "x.yaml:1:5: error: control character 0x00: this is not a text file");
}

static void a_byte_order_mark_is_allowed(void **state)
{
    struct fixture *fixture = *state;
    const struct node *root = parse(fixture, "\xEF\xBB\xBF"
                                             "a: 1\r\nb: 2\r\n");
    assert_no_errors(fixture->problems);
    assert_string_equal(node_get(root, "b")->text, "2");
}

static void nesting_has_a_limit(void **state)
{
    struct fixture *fixture = *state;
    char text[256] = "";
    for (int i = 0; i < 100; i++)
        text[i] = '[';
    assert_null(parse(fixture, text));
    assert_problem(fixture->problems, "x.yaml:1:33: error: maps and lists are nested deeper than 32");
}

static void maps_have_a_limit(void **state)
{
    struct fixture *fixture = *state;
    char *text = malloc(40000), *end = text;
    for (int i = 0; i < 2000; i++)
        end += sprintf(end, "k%d: 1\n", i);
    assert_null(parse(fixture, text));
    assert_problem(fixture->problems, "x.yaml:1001:8: error: more than 1000 entries in one map");
    free(text);
}

static const char *temporary_file(const char *text, size_t length)
{
    static char path[] = "/tmp/vdisim-test-XXXXXX";
    strcpy(path + strlen(path) - 6, "XXXXXX");
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, length), (ssize_t)length);
    close(descriptor);
    return path;
}

static void files_can_fail(void **state)
{
    struct fixture *fixture = *state;
    assert_null(document_read(fixture->arena, "/nowhere/at/all.yaml", fixture->problems));
    assert_problem(fixture->problems,
                   "/nowhere/at/all.yaml: error: cannot be read: No such file or directory");
    assert_null(document_read(fixture->arena, "/tmp", fixture->problems));
    assert_problem(fixture->problems, "/tmp: error: cannot be read: Is a directory");

    char *large = malloc(10 * 1024 * 1024);
    memset(large, 'a', 10 * 1024 * 1024);
    const char *path = temporary_file(large, 10 * 1024 * 1024);
    assert_null(document_read(fixture->arena, path, fixture->problems));
    assert_problem(fixture->problems, "error: is larger than 4 MiB");
    unlink(path);
    free(large);

    path = temporary_file("\x7F"
                          "ELF\0\1\2",
                          7);
    assert_null(document_read(fixture->arena, path, fixture->problems));
    assert_problem(fixture->problems, "control character 0x7F: this is not a text file");
    unlink(path);
}

static void an_excerpt_marks_the_place(void **state)
{
    struct fixture *fixture = *state;
    parse(fixture, "one: 1\n\tb\xC3\xA4r: \xE6\xBC\xA2 !x y\n");
    assert_true(problems_errors(fixture->problems) > 0);
    struct position at = {.file = "x.yaml", .line = 2, .column = 9, .end_column = 12};
    problem_add(fixture->problems, PROBLEM_WARNING, at, "here");
    assert_problem(fixture->problems, "    2 |  b\xC3\xA4r: \xE6\xBC\xA2 !x y\n      |          ^~~\n");
}

static void many_problems_are_cut(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 1; i <= 1500; i++)
        problem_add(fixture->problems, PROBLEM_ERROR, (struct position){"x.yaml", i, 1, 2}, "wrong");
    problem_add(fixture->problems, PROBLEM_ERROR, (struct position){"x.yaml", 1, 1, 2},
                "wrong"); /* known already */
    assert_int_equal(problems_errors(fixture->problems), 1500);
    assert_problem(fixture->problems,
                   "x.yaml:20:1: error: wrong\nx.yaml: and 980 more\nand 500 more that were not kept\n");
}

static void terminals_are_not_steered(void **state)
{
    struct fixture *fixture = *state;
    problem_add(fixture->problems, PROBLEM_ERROR, (struct position){.file = "x"}, "bad '%s'", "\033[31m");
    assert_problem(fixture->problems, "bad '?[31m'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_tree_has_positions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(setting_shares_what_it_leaves_alone, set_up, tear_down),
        cmocka_unit_test(bad_documents_are_refused),
        cmocka_unit_test_setup_teardown(the_first_anchor_or_alias_ends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_nul_byte_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_byte_order_mark_is_allowed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nesting_has_a_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(maps_have_a_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_can_fail, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_excerpt_marks_the_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_problems_are_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(terminals_are_not_steered, set_up, tear_down),
    };
    return RUN_TESTS(tests);
}
