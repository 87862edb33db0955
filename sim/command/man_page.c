#include "sim/command/pages.h"
#include "vdisim/version.h"

#include <ctype.h>
#include <string.h>

bool option_is_shown(const struct argp_option *option)
{
    return option->name != NULL && (option->flags & OPTION_HIDDEN) == 0;
}

/* Text of a paragraph, `length` bytes: what scdoc would take for markup is escaped. */
static void print_text(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr("*_\\#`[]|<>", text[i]) != NULL)
            fputc('\\', out);
        fputc(text[i], out);
    }
}

/* Lines that begin with blanks are shown as they are, others are filled. */
static void print_lines(FILE *out, const char *text, size_t length)
{
    bool as_it_is = false;
    while (length > 0) {
        const char *line_end = memchr(text, '\n', length);
        const size_t size = line_end == NULL ? length : (size_t)(line_end - text);
        if (size > 0 && as_it_is != (text[0] == ' ')) {
            fputs(as_it_is ? "```\n\n" : "\n```\n", out);
            as_it_is = !as_it_is;
        }
        if (as_it_is)
            fprintf(out, "%.*s", (int)size, text);
        else
            print_text(out, text, size);
        fputc('\n', out);
        text += size;
        length -= size;
        if (length > 0) {
            text++;
            length--;
        }
    }
    fputs(as_it_is ? "```\n\n" : "\n", out);
}

static void print_option(FILE *out, const struct argp_option *option)
{
    if (isgraph(option->key) && option->key < 128)
        fprintf(out, "*-%c*, ", option->key);
    fprintf(out, "*--%s*", option->name);
    if (option->arg != NULL) {
        fputs("=_", out);
        print_text(out, option->arg, strlen(option->arg));
        fputc('_', out);
    }
    fputs("\n\t", out);
    print_text(out, option->doc, strlen(option->doc));
    fputs("\n\n", out);
}

static void print_synopsis(FILE *out, const struct command *command)
{
    const char *usage = command->parser->args_doc == NULL ? "" : command->parser->args_doc;
    do {
        const size_t length = strcspn(usage, "\n");
        fprintf(out, "*vdisim %s* [_OPTION_...] ", command->name);
        print_text(out, usage, length);
        usage += length;
        fputs(*usage != '\0' ? "++\n" : "\n\n", out);
    } while (*usage++ != '\0');
}

static void print_command_page(FILE *out, const struct command *command)
{
    const char *doc = command->parser->doc == NULL ? "" : command->parser->doc;
    const size_t before = strcspn(doc, "\v");
    fprintf(out, "vdisim-%s(1) \"vdisim %s\" \"vdisim manual\"\n\n# NAME\n\nvdisim-%s - %s\n\n# SYNOPSIS\n\n",
            command->name, VDISIM_VERSION, command->name, command->summary);
    print_synopsis(out, command);
    fputs("# DESCRIPTION\n\n", out);
    print_lines(out, doc, before);
    if (doc[before] == '\v')
        print_lines(out, doc + before + 1, strlen(doc + before + 1));
    fputs("# OPTIONS\n\n", out);
    for (const struct argp_option *option = command->parser->options;
         option != NULL && (option->name != NULL || option->key != 0); option++)
        if (option_is_shown(option))
            print_option(out, option);
    fputs("*-?*, *--help*\n\tGive the list of options\n\n*--usage*\n\tGive a short usage message\n\n", out);
}

static void print_program_page(FILE *out)
{
    fprintf(
        out,
        "vdisim(1) \"vdisim %s\" \"vdisim manual\"\n\n# NAME\n\nvdisim - simulate the storage behind virtual "
        "desktops\n\n# SYNOPSIS\n\n*vdisim* _COMMAND_ [_OPTION_...] [_FILE_...]\n\n# COMMANDS\n\n",
        VDISIM_VERSION);
    for (const struct command *command = commands; command->name != NULL; command++)
        fprintf(out, "*%s*\n\t%s: *vdisim-%s*(1)\n\n", command->name, command->summary, command->name);
}

void print_man_page(FILE *out, const struct command *command)
{
    if (command == NULL)
        print_program_page(out);
    else
        print_command_page(out, command);
}
