#include "sim/experiment/report/svg.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct span {
    const char *text;
    size_t length;
};

static bool span_is(struct span span, const char *word)
{
    return strlen(word) == span.length && memcmp(span.text, word, span.length) == 0;
}

static bool is_any(struct span span, const char *const words[])
{
    for (size_t i = 0; words[i] != NULL; i++)
        if (span_is(span, words[i]))
            return true;
    return false;
}

static const char *const elements[] = {
    "svg",   "title",   "desc", "defs",     "g",      "path",    "circle",      "rect",     "use", "text",
    "tspan", "polygon", "line", "polyline", "filter", "feFlood", "feComposite", "clipPath", NULL};
static const char *const attributes[] = {"id",
                                         "class",
                                         "d",
                                         "x",
                                         "y",
                                         "x1",
                                         "x2",
                                         "y1",
                                         "y2",
                                         "r",
                                         "cx",
                                         "cy",
                                         "dx",
                                         "dy",
                                         "width",
                                         "height",
                                         "points",
                                         "transform",
                                         "viewBox",
                                         "fill",
                                         "color",
                                         "stroke",
                                         "stroke-width",
                                         "stroke-linecap",
                                         "stroke-linejoin",
                                         "stroke-dasharray",
                                         "fill-opacity",
                                         "stroke-opacity",
                                         "opacity",
                                         "font-family",
                                         "font-size",
                                         "font-weight",
                                         "font-style",
                                         "text-anchor",
                                         "xlink:href",
                                         "href",
                                         "xml:space",
                                         "clip-path",
                                         "filterUnits",
                                         "in",
                                         "in2",
                                         "operator",
                                         "result",
                                         "flood-color",
                                         "flood-opacity",
                                         "fill-rule",
                                         "preserveAspectRatio",
                                         "text-decoration",
                                         "baseline-shift",
                                         "shape-rendering",
                                         "filter",
                                         NULL};
/* Of the root, which gets its own instead. */
static const char *const root_attributes[] = {"width", "height", "xmlns", "xmlns:xlink", NULL};

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == ':' || c == '-' || c == '_';
}

static struct span take_name(const char **at)
{
    struct span name = {*at, 0};
    while (is_name(**at)) {
        (*at)++;
        name.length++;
    }
    return name;
}

static void skip_blanks(const char **at)
{
    while (isspace((unsigned char)**at))
        (*at)++;
}

/* The value between quotes; text NULL when there is none. */
static struct span take_value(const char **at)
{
    const char quote = **at;
    struct span value = {NULL, 0};
    if (quote != '"' && quote != '\'')
        return value;
    const char *end = strchr(*at + 1, quote);
    if (end == NULL)
        return value;
    value = (struct span){*at + 1, (size_t)(end - *at) - 1};
    *at = end + 1;
    return value;
}

static void write_span(struct writer *writer, struct span span)
{
    write_text(writer, "%.*s", (int)span.length, span.text);
}

/* Names are local: '#name' within the picture and nothing outside of it. False for any other reference. */
static bool write_attribute(struct writer *writer, struct span name, struct span value, const char *prefix)
{
    struct span rest = value;
    const char *before = "";
    if (memchr(value.text, '"', value.length) != NULL || memchr(value.text, '<', value.length) != NULL)
        return false;
    if (span_is(name, "href") || span_is(name, "xlink:href")) {
        if (value.length < 2 || value.text[0] != '#')
            return false;
        before = "#";
        rest = (struct span){value.text + 1, value.length - 1};
    } else if (value.length >= 4 && memcmp(value.text, "url(", 4) == 0) {
        if (value.length < 6 || value.text[4] != '#')
            return false;
        before = "url(#";
        rest = (struct span){value.text + 5, value.length - 5};
    } else if (!span_is(name, "id")) {
        prefix = "";
    }
    const char *dash = prefix[0] == '\0' ? "" : "-";
    if (span_is(name, "xlink:href"))
        name = (struct span){"href", 4};
    write_text(writer, " ");
    write_span(writer, name);
    write_text(writer, "=\"%s%s%s", before, prefix, dash);
    write_span(writer, rest);
    write_text(writer, "\"");
    return true;
}

struct inlining {
    const char *at, *prefix, *title, *description;
    struct writer writer;
    bool has_root;
};

/* Behind '<' of the root. */
static void write_root(struct inlining *inlining)
{
    const char *prefix = inlining->prefix;
    write_text(&inlining->writer, " role=\"img\" aria-labelledby=\"%s-title %s-desc\"", prefix, prefix);
    inlining->has_root = true;
}

static void write_words(struct inlining *inlining)
{
    write_text(&inlining->writer, "<title id=\"%s-title\">", inlining->prefix);
    write_html_text(&inlining->writer, inlining->title);
    write_text(&inlining->writer, "</title><desc id=\"%s-desc\">", inlining->prefix);
    write_html_text(&inlining->writer, inlining->description);
    write_text(&inlining->writer, "</desc>");
}

/* A title or description of the picture's own: our words stand for it. */
static bool skip_element(struct inlining *inlining, struct span name)
{
    char closing[32];
    snprintf(closing, sizeof closing, "</%.*s>", (int)name.length, name.text);
    const char *end = strstr(inlining->at, closing);
    if (end == NULL)
        return false;
    inlining->at = end + strlen(closing);
    return true;
}

static bool copy_attributes(struct inlining *inlining, bool is_root)
{
    while (skip_blanks(&inlining->at), *inlining->at != '>' && *inlining->at != '/') {
        struct span name = take_name(&inlining->at);
        skip_blanks(&inlining->at);
        if (name.length == 0 || *inlining->at != '=')
            return false;
        inlining->at++;
        skip_blanks(&inlining->at);
        struct span value = take_value(&inlining->at);
        if (value.text == NULL)
            return false;
        if (is_root && is_any(name, root_attributes))
            continue;
        if (!is_any(name, attributes) || !write_attribute(&inlining->writer, name, value, inlining->prefix))
            return false;
    }
    return true;
}

/* Behind '<'. */
static bool copy_tag(struct inlining *inlining)
{
    if (inlining->at[0] == '?' || strncmp(inlining->at, "!--", 3) == 0) {
        const char *end = strstr(inlining->at, inlining->at[0] == '?' ? "?>" : "-->");
        if (end == NULL)
            return false;
        inlining->at = end + (inlining->at[0] == '?' ? 2 : 3);
        return true;
    }
    const bool closes = inlining->at[0] == '/';
    inlining->at += closes;
    struct span name = take_name(&inlining->at);
    const bool is_root = span_is(name, "svg");
    if (!is_any(name, elements) || (is_root && !closes && inlining->has_root) ||
        (!is_root && !inlining->has_root))
        return false;
    if (span_is(name, "title") || span_is(name, "desc"))
        return skip_element(inlining, name);
    write_text(&inlining->writer, closes ? "</%.*s" : "<%.*s", (int)name.length, name.text);
    if (is_root && !closes)
        write_root(inlining);
    if (!copy_attributes(inlining, is_root))
        return false;
    if (*inlining->at == '/') {
        write_text(&inlining->writer, "/");
        inlining->at++;
    }
    if (*inlining->at != '>')
        return false;
    inlining->at++;
    write_text(&inlining->writer, ">");
    if (is_root && !closes)
        write_words(inlining);
    return true;
}

static bool copy_picture(struct inlining *inlining)
{
    while (*inlining->at != '\0') {
        const size_t length = strcspn(inlining->at, "<");
        if (inlining->has_root)
            write_text(&inlining->writer, "%.*s", (int)length, inlining->at);
        inlining->at += length;
        if (*inlining->at == '\0')
            break;
        inlining->at++;
        if (!copy_tag(inlining))
            return false;
    }
    return inlining->has_root;
}

bool svg_write_inline(const char *svg, const char *prefix, const char *title, const char *description,
                      struct writer *writer)
{
    char *text = NULL;
    size_t length = 0;
    struct inlining inlining = {.at = svg, .prefix = prefix, .title = title, .description = description};
    inlining.writer.file = open_memstream(&text, &length);
    if (inlining.writer.file == NULL)
        return false;
    bool fine = copy_picture(&inlining) && inlining.writer.error == 0;
    fine = fclose(inlining.writer.file) == 0 && fine;
    if (fine)
        write_text(writer, "%s\n", text);
    free(text);
    return fine;
}
