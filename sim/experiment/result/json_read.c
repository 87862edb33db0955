#include "sim/experiment/result/json_read.h"

#include <string.h>

struct json_reader {
    struct arena *arena;
    struct problems *problems;
    const char *at, *end;
    const char *line_start;
    const char *name;
    size_t line;
    size_t depth;
};

static const struct node *read_value(struct json_reader *reader);

static struct position here(const struct json_reader *reader)
{
    size_t column = (size_t)(reader->at - reader->line_start) + 1;
    return (struct position){reader->name, reader->line, column, column + 1};
}

static const struct node *refuse(const struct json_reader *reader, const char *what)
{
    problem_add(reader->problems, PROBLEM_ERROR, here(reader), "%s", what);
    return NULL;
}

static void skip_blanks(struct json_reader *reader)
{
    for (; reader->at < reader->end; reader->at++) {
        if (*reader->at == '\n') {
            reader->line++;
            reader->line_start = reader->at + 1;
        } else if (*reader->at != ' ' && *reader->at != '\t' && *reader->at != '\r') {
            return;
        }
    }
}

/* Steps over a character, with the blanks before it. */
static bool take(struct json_reader *reader, char c)
{
    skip_blanks(reader);
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

/* Four hexadecimal digits at `at`; -1 when they are not. */
static int code_unit(const char *at, const char *end)
{
    int value = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = at[i] == '\0' ? NULL : strchr(digits, at[i]);
        if (digit == NULL)
            return -1;
        value = 16 * value + (int)(digit - digits) % 16;
    }
    return value;
}

static char *append_utf8(char *out, unsigned code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

/* The character after "\u", both halves of a surrogate pair. False when it is none. */
static bool read_unicode(struct json_reader *reader, char **out)
{
    int code = code_unit(reader->at, reader->end);
    if (code <= 0 || (code >= 0xDC00 && code <= 0xDFFF))
        return false;
    reader->at += 4;
    if (code >= 0xD800 && code <= 0xDBFF) {
        if (reader->end - reader->at < 6 || reader->at[0] != '\\' || reader->at[1] != 'u')
            return false;
        int low = code_unit(reader->at + 2, reader->end);
        if (low < 0xDC00 || low > 0xDFFF)
            return false;
        reader->at += 6;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    *out = append_utf8(*out, (unsigned)code);
    return true;
}

static bool read_escape(struct json_reader *reader, char **out)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (reader->at == reader->end)
        return false;
    char c = *reader->at++;
    if (c == 'u')
        return read_unicode(reader, out);
    const char *letter = c == '\0' ? NULL : strchr(letters, c);
    if (letter == NULL)
        return false;
    *(*out)++ = meanings[letter - letters];
    return true;
}

/* The bytes between two quotes, the first of which was taken; NULL with the problem. No escape is shorter than what
 * it stands for, so the text fits where it was. */
static const char *read_string(struct json_reader *reader)
{
    const char *close = reader->at;
    while (close < reader->end && *close != '"')
        close += *close == '\\' && close + 1 < reader->end ? 2 : 1;
    if (close >= reader->end) {
        refuse(reader, "a quote is not closed");
        return NULL;
    }
    char *text = arena_alloc(reader->arena, (size_t)(close - reader->at) + 1), *out = text;
    while (reader->at < close) {
        char c = *reader->at;
        if ((unsigned char)c < 0x20) {
            refuse(reader, "a control character stands in a string");
            return NULL;
        }
        reader->at++;
        if (c != '\\') {
            *out++ = c;
        } else if (!read_escape(reader, &out)) {
            refuse(reader, "the escape in this string stands for no character that a text can have");
            return NULL;
        }
    }
    reader->at = close + 1;
    return text;
}

static struct node *new_collection(struct json_reader *reader, enum node_kind kind)
{
    struct node *node = ARENA_NEW(reader->arena, struct node);
    *node = (struct node){.kind = kind, .at = here(reader)};
    return node;
}

static const struct node *add_entry(struct json_reader *reader, struct node *node, const char *key,
                                    struct position key_at)
{
    const struct node *value = read_value(reader);
    if (value == NULL)
        return NULL;
    struct entry *entries = (struct entry *)node->entries;
    node->entries = ARENA_GROW(reader->arena, entries, node->count);
    entries[node->count++] = (struct entry){key, key != NULL ? key_at : value->at, value};
    return value;
}

static const struct node *read_list(struct json_reader *reader)
{
    struct node *node = new_collection(reader, NODE_LIST);
    if (take(reader, ']'))
        return node;
    do {
        if (add_entry(reader, node, NULL, node->at) == NULL)
            return NULL;
    } while (take(reader, ','));
    return take(reader, ']') ? node : refuse(reader, "expected , or ]");
}

static const struct node *read_map(struct json_reader *reader)
{
    struct node *node = new_collection(reader, NODE_MAP);
    if (take(reader, '}'))
        return node;
    do {
        if (!take(reader, '"'))
            return refuse(reader, "expected a key in quotes");
        struct position key_at = here(reader);
        const char *key = read_string(reader);
        if (key == NULL)
            return NULL;
        if (node_entry(node, key) != NULL) {
            problem_add(reader->problems, PROBLEM_ERROR, key_at, "the key '%.60s' stands here twice", key);
            return NULL;
        }
        if (!take(reader, ':'))
            return refuse(reader, "expected a colon");
        if (add_entry(reader, node, key, key_at) == NULL)
            return NULL;
    } while (take(reader, ','));
    return take(reader, '}') ? node : refuse(reader, "expected , or }");
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

/* Where the number at `at` ends; `at` itself when there is none. */
static const char *end_of_number(const char *at, const char *end)
{
    const char *next = at;
    if (next < end && *next == '-')
        next++;
    if (next == end || !is_digit(*next))
        return at;
    next = *next == '0' ? next + 1 : skip_digits(next, end);
    if (next + 1 < end && *next == '.' && is_digit(next[1]))
        next = skip_digits(next + 1, end);
    if (next < end && (*next == 'e' || *next == 'E')) {
        const char *power = next + 1;
        if (power < end && (*power == '+' || *power == '-'))
            power++;
        if (power < end && is_digit(*power))
            next = skip_digits(power, end);
    }
    return next;
}

static const struct node *read_word(struct json_reader *reader)
{
    static const char *const words[] = {"true", "false", "null"};
    size_t left = (size_t)(reader->end - reader->at);
    size_t length = (size_t)(end_of_number(reader->at, reader->end) - reader->at);
    for (size_t i = 0; length == 0 && i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) <= left && memcmp(reader->at, words[i], strlen(words[i])) == 0)
            length = strlen(words[i]);
    if (length == 0)
        return refuse(reader, left == 0 ? "it ends too early" : "expected a value");
    const struct node *node =
        node_scalar(reader->arena, arena_text_n(reader->arena, reader->at, length), here(reader));
    reader->at += length;
    return node;
}

static const struct node *read_text(struct json_reader *reader)
{
    struct position at = here(reader);
    const char *text = read_string(reader);
    if (text == NULL)
        return NULL;
    struct node *node = node_scalar(reader->arena, text, at);
    node->quoted = true;
    return node;
}

static const struct node *read_value(struct json_reader *reader)
{
    if (reader->depth == JSON_MAX_DEPTH)
        return refuse(reader, "objects and arrays are nested too deep");
    reader->depth++;
    const struct node *node = take(reader, '"')   ? read_text(reader)
                              : take(reader, '{') ? read_map(reader)
                              : take(reader, '[') ? read_list(reader)
                                                  : read_word(reader);
    reader->depth--;
    return node;
}

const struct node *json_read(struct arena *arena, const char *name, const char *text, size_t length,
                             struct problems *problems)
{
    struct json_reader reader = {
        .arena = arena,
        .problems = problems,
        .at = text,
        .end = text + length,
        .line_start = text,
        .name = name,
        .line = 1,
    };
    const struct node *root = read_value(&reader);
    if (root == NULL)
        return NULL;
    skip_blanks(&reader);
    return reader.at == reader.end ? root : refuse(&reader, "something follows the document");
}
