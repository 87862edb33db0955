/* Reading JSON: what RFC 8259 allows in any shape, what it does not with its place, and what we write ourselves. */
#include "sim/experiment/result/json_read.h"
#include "sim/experiment/result/writer.h"
#include "tests/support/check.h"

#include <stdlib.h>
#include <string.h>

static const struct node *read(struct arena *arena, const char *text, char **said)
{
    struct problems *problems = problems_create();
    size_t size = 0;
    const struct node *root = json_read(arena, "x.json", text, strlen(text), problems);
    FILE *out = open_memstream(said, &size);
    problems_print(problems, out, false);
    fclose(out);
    assert_int_equal(problems_errors(problems), root == NULL ? 1 : 0);
    problems_destroy(problems);
    return root;
}

static void test_values(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    char *said;
    const struct node *root =
        read(arena, " {\"a\" : [1, -0.5e+3,true ,null,\"\"],\n\t\"b\":{\"c\":{}}, \"\": []}\r\n", &said);
    assert_non_null(root);
    const struct node *list = node_get(root, "a");
    assert_int_equal(list->kind, NODE_LIST);
    assert_int_equal(list->count, 5);
    assert_string_equal(list->entries[1].value->text, "-0.5e+3");
    assert_string_equal(list->entries[2].value->text, "true");
    assert_true(node_is_empty(list->entries[3].value));
    assert_false(node_is_empty(list->entries[4].value));
    assert_int_equal(node_at_path(root, "b.c")->count, 0);
    assert_int_equal(node_get(root, "b")->at.line, 2);
    free(said);
    arena_destroy(arena);
}

static void test_escapes(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    char *said;
    const struct node *root = read(
        arena, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\\ud83d\\ude00\\u001f\\u007f\xe2\x80\xa8\"",
        &said);
    assert_non_null(root);
    assert_string_equal(root->text,
                        "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x1f\x7f\xe2\x80\xa8");
    assert_true(root->quoted);
    free(said);
    arena_destroy(arena);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"", "x.json:1:1: error: it ends too early"},
        {"{\"a\": 1,}", "x.json:1:9: error: expected a key in quotes"},
        {"[1 2]", "x.json:1:4: error: expected , or ]"},
        {"[1,]", "expected a value"},
        {"{\"a\" 1}", "expected a colon"},
        {"{\"a\": 1, \"a\": 2}", "the key 'a' stands here twice"},
        {"[1]\n  [2]", "x.json:2:3: error: something follows"},
        {"\"abc", "a quote is not closed"},
        {"\"abc\\\"", "a quote is not closed"},
        {"\"a\nb\"", "control character"},
        {"\"\\u0000\"", "stands for no character"},
        {"\"\\ud83d\"", "stands for no character"},
        {"\"\\ud83d\\u0041\"", "stands for no character"},
        {"\"\\ude00\"", "stands for no character"},
        {"\"\\u12g4\"", "stands for no character"},
        {"\"\\u12", "a quote is not closed"},
        {"\"\\x41\"", "stands for no character"},
        {"01", "something follows"},
        {"+1", "expected a value"},
        {".5", "expected a value"},
        {"1.", "something follows"},
        {"nul", "expected a value"},
        {"nulll", "something follows"},
        {"NaN", "expected a value"},
        {"{'a': 1}", "expected a key in quotes"},
        {"{", "expected a key in quotes"},
        {"[", "it ends too early"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena *arena = arena_create();
        char *said;
        assert_null(read(arena, cases[i].text, &said));
        if (strstr(said, cases[i].said) == NULL)
            fail_msg("%s: said\n%s", cases[i].text, said);
        free(said);
        arena_destroy(arena);
    }
}

static void test_depth(void **state)
{
    (void)state;
    char text[2 * (JSON_MAX_DEPTH + 1) + 1];
    for (size_t depth = JSON_MAX_DEPTH; depth <= JSON_MAX_DEPTH + 1; depth++) {
        struct arena *arena = arena_create();
        char *said;
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        text[2 * depth] = '\0';
        assert_int_equal(read(arena, text, &said) != NULL, depth == JSON_MAX_DEPTH);
        free(said);
        arena_destroy(arena);
    }
}

/* Every byte a text can have comes back from what the writer makes of it. */
static void test_our_own_text(void **state)
{
    (void)state;
    char all[256 + 32] = "", *json = NULL, *said;
    size_t size = 0;
    for (int c = 1; c < 128; c++)
        all[c - 1] = (char)c;
    strcat(all, "\xc2\x85\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf\xf0\x9f\x98\x80 #: {} - &a *a !b");
    struct writer writer = {.file = open_memstream(&json, &size)};
    write_json_text(&writer, all);
    fclose(writer.file);
    struct arena *arena = arena_create();
    const struct node *root = read(arena, json, &said);
    assert_non_null(root);
    assert_string_equal(root->text, all);
    free(said);
    free(json);
    arena_destroy(arena);
}

/* As many runs as a manifest may have, each on its own line. */
static void test_many_runs(void **state)
{
    (void)state;
    enum { RUNS = 150000 };
    char *text = NULL, *said;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "{\"runs\": [");
    for (int i = 0; i < RUNS; i++)
        fprintf(out, "%s\n {\"cell\": %d, \"fingerprint\": \"%016x\"}", i == 0 ? "" : ",", i, i);
    fprintf(out, "]}\n");
    fclose(out);
    struct arena *arena = arena_create();
    const struct node *root = read(arena, text, &said);
    assert_non_null(root);
    const struct node *runs = node_get(root, "runs");
    assert_int_equal(runs->count, RUNS);
    assert_int_equal(runs->entries[RUNS - 1].value->at.line, RUNS + 1);
    assert_string_equal(node_get(runs->entries[1000].value, "fingerprint")->text, "00000000000003e8");
    free(said);
    free(text);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_escapes),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_depth),  cmocka_unit_test(test_our_own_text), cmocka_unit_test(test_many_runs),
    };
    return RUN_TESTS(tests);
}
