/* What of an SVG document gets into a page, and what does not. */
#include "sim/experiment/report/svg.h"
#include "tests/support/check.h"

#include <stdlib.h>
#include <string.h>

static char *inlined(const char *svg, bool *taken)
{
    char *text = NULL;
    size_t length = 0;
    struct writer writer = {.file = open_memstream(&text, &length)};
    assert_non_null(writer.file);
    *taken = svg_write_inline(svg, "f1", "A <title>", "What & why", &writer);
    fclose(writer.file);
    return text;
}

static void a_picture_is_taken_in(void **state)
{
    (void)state;
    bool taken;
    char *text =
        inlined("<?xml version=\"1.0\"?>\n<!-- x --><svg width=\"9\" viewBox=\"0 0 9 9\" xmlns=\"u\">\n"
                "<title>old</title><defs><path id='p' d='M0,0'/></defs><use xlink:href='#p'/>"
                "<polygon points = '1,2' fill = 'url(#p)'/><text x=\"1\">a &lt; b</text></svg>\n",
                &taken);
    assert_true(taken);
    assert_non_null(strstr(text, "role=\"img\" aria-labelledby=\"f1-title f1-desc\""));
    assert_non_null(strstr(text, "<title id=\"f1-title\">A &#60;title&#62;</title>"));
    assert_non_null(strstr(text, "What &#38; why"));
    assert_non_null(strstr(text, "id=\"f1-p\""));
    assert_non_null(strstr(text, "href=\"#f1-p\""));
    assert_non_null(strstr(text, "fill=\"url(#f1-p)\""));
    assert_non_null(strstr(text, "<text x=\"1\">a &lt; b</text>"));
    assert_null(strstr(text, "old"));
    assert_null(strstr(text, "width"));
    assert_null(strstr(text, "xmlns"));
    free(text);
}

static void what_runs_or_loads_is_refused(void **state)
{
    (void)state;
    static const char *const inside[] = {
        "<script>x</script>",
        "<g onload=\"x\"/>",
        "<image href=\"http://x/\"/>",
        "<use href=\"http://x/#a\"/>",
        "<use xlink:href='other.svg#a'/>",
        "<a href=\"#x\">y</a>",
        "<g fill=\"url(http://x/)\"/>",
        "<g style=\"background:url(x)\"/>",
        "<foreignObject/>",
        "<g fill='\"x'/>",
        "<g fill='<'/>",
        "<g fill=x/>",
        "<g fill",
        "<title>never closed",
        "<svg></svg>",
        "<!-- never closed",
    };
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        char svg[256];
        bool taken;
        snprintf(svg, sizeof svg, "<svg viewBox=\"0 0 1 1\">%s</svg>", inside[i]);
        char *text = inlined(svg, &taken);
        if (taken || text[0] != '\0')
            fail_msg("taken in: %s", inside[i]);
        free(text);
    }
    bool taken;
    free(inlined("no picture", &taken));
    assert_false(taken);
    free(inlined("<g/><svg></svg>", &taken));
    assert_false(taken);
    free(inlined("", &taken));
    assert_false(taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_taken_in),
        cmocka_unit_test(what_runs_or_loads_is_refused),
    };
    return RUN_TESTS(tests);
}
