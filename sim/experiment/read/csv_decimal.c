#include "sim/experiment/read/csv_decimal.h"

#include <ctype.h>
#include <string.h>

enum { PROBLEMS_TOLD = 20 };

/* How a number is written; each kind that only one convention has is evidence for it. */
enum writing {
    NO_NUMBER,
    PLAIN,       /* 1500 */
    COMMA,       /* 1,5   1.234,5   1.234.567 */
    POINT,       /* 1.5   1,234.5   1,234,567 */
    MAYBE_COMMA, /* 1,234: thousands, or a decimal comma */
    MAYBE_POINT, /* 1.234: a decimal point, or thousands */
    NEITHER,     /* 1,2,3 or 1.2,3.4: no number in any convention */
};

/* The length of the number at the start: digits, commas and points, a digit first and last. */
static size_t number_length(const char *text)
{
    size_t length = strspn(text, "0123456789.,");
    while (length > 0 && !isdigit((unsigned char)text[length - 1]))
        length--;
    return isdigit((unsigned char)text[0]) ? length : 0;
}

/* Whether groups of three digits follow each `mark` before `end`, with one to three before the first. */
static bool is_grouped(const char *text, size_t length, char mark)
{
    size_t digits = 0, groups = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && text[i] != mark) {
            digits++;
            continue;
        }
        if (groups == 0 ? digits == 0 || digits > 3 : digits != 3)
            return false;
        groups++;
        digits = 0;
    }
    return true;
}

static size_t count_of(const char *text, size_t length, char mark)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += text[i] == mark;
    return count;
}

/* With one kind of mark, `count` of them. */
static enum writing writing_of_marks(const char *text, size_t length, char mark, size_t count)
{
    bool grouped = is_grouped(text, length, mark) && text[0] != '0';
    bool is_comma = mark == ',';
    if (count > 1)
        return !grouped ? NEITHER : is_comma ? POINT : COMMA;
    if (grouped)
        return is_comma ? MAYBE_COMMA : MAYBE_POINT;
    return is_comma ? COMMA : POINT;
}

static enum writing writing_of(const char *text)
{
    bool is_signed = text[0] == '-' || text[0] == '+';
    text += is_signed;
    size_t length = number_length(text);
    const char *rest = text + length + strspn(text + length, " ");
    if (length == 0 || strpbrk(rest, "0123456789.,") != NULL)
        return NO_NUMBER;
    size_t commas = count_of(text, length, ','), points = count_of(text, length, '.');
    if (commas == 0 && points == 0)
        return PLAIN;
    if (commas == 0 || points == 0)
        return writing_of_marks(text, length, commas > 0 ? ',' : '.', commas + points);
    size_t first_comma = strcspn(text, ","), first_point = strcspn(text, ".");
    if (commas == 1 && first_point < first_comma && is_grouped(text, first_comma, '.'))
        return COMMA;
    if (points == 1 && first_comma < first_point && is_grouped(text, first_point, ','))
        return POINT;
    return NEITHER;
}

/* The field with a decimal point and without thousands. */
static const char *with_point(struct arena *arena, const char *text)
{
    char *plain = arena_text(arena, text), *end = plain;
    for (const char *c = text; *c != '\0'; c++)
        if (*c != '.')
            *end++ = *c == ',' ? '.' : *c;
    *end = '\0';
    return plain;
}

/* "1,234" and "1.234" where both readings are possible; `has_commas`: other numbers have decimal commas. */
static void refuse_ambiguous(struct arena *arena, const struct csv_field *field, bool has_commas,
                             struct problems *problems)
{
    const char *text = field->text;
    int before = (int)strcspn(text, ",.");
    const char *thousands = arena_format(arena, "%.*s%.3s", before, text, text + before + 1);
    const char *fraction = arena_format(arena, "%.*s.%.3s", before, text, text + before + 1);
    const char *written =
        has_commas ? arena_format(arena, "%.*s,%.3s0", before, text, text + before + 1) : fraction;
    problem_add(problems, PROBLEM_ERROR, field->at, "'%.60s' may mean %s or %s in a table %s: write %s or %s",
                text, thousands, fraction, has_commas ? "with decimal commas" : "separated by semicolons",
                thousands, written);
}

struct evidence {
    const struct csv_field *comma, *point; /* the first of each, or NULL */
};

static struct evidence gather(const struct csv_field *fields, size_t count)
{
    struct evidence evidence = {0};
    for (size_t i = 0; i < count; i++) {
        enum writing writing = writing_of(fields[i].text);
        if (writing == COMMA && evidence.comma == NULL)
            evidence.comma = &fields[i];
        if (writing == POINT && evidence.point == NULL)
            evidence.point = &fields[i];
    }
    return evidence;
}

/* A table has one convention: the first number of the other one is a problem. */
static bool is_mixed(const struct evidence *evidence, struct problems *problems)
{
    if (evidence->comma == NULL || evidence->point == NULL)
        return false;
    bool comma_first = evidence->comma < evidence->point;
    const struct csv_field *first = comma_first ? evidence->comma : evidence->point,
                           *second = comma_first ? evidence->point : evidence->comma;
    problem_add(
        problems, PROBLEM_ERROR, second->at,
        "'%.60s' has a decimal %s, '%.60s' in line %zu a decimal %s: write all numbers of a table one way",
        second->text, comma_first ? "point" : "comma", first->text, first->at.line,
        comma_first ? "comma" : "point");
    return true;
}

bool csv_use_decimal_points(struct arena *arena, char separator, struct csv_field *fields, size_t count,
                            struct problems *problems)
{
    if (separator == ',')
        return true; /* "1,5" in quotes is refused where a number is expected */
    struct evidence evidence = gather(fields, count);
    if (is_mixed(&evidence, problems))
        return false;
    bool has_commas = evidence.comma != NULL;
    bool may_have_commas = has_commas || (separator == ';' && evidence.point == NULL);
    size_t told = 0;
    for (size_t i = 0; i < count && told < PROBLEMS_TOLD; i++) {
        enum writing writing = writing_of(fields[i].text);
        if ((writing == MAYBE_COMMA && may_have_commas) || (writing == MAYBE_POINT && has_commas)) {
            refuse_ambiguous(arena, &fields[i], has_commas, problems);
            told++;
        } else if (writing == COMMA) {
            fields[i].text = with_point(arena, fields[i].text);
        }
    }
    return told == 0;
}
