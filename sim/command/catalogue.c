/* vdisim catalogue: the numbers the models use, each with its status and source. */
#include "sim/command/command.h"
#include "sim/command/terminal.h"
#include "sim/experiment/read/opened_catalogue.h"
#include "sim/experiment/read/suggest.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULTS "defaults"

struct catalogue_request {
    const char *section, *entry;
    const char **files;
    size_t file_count;
};

static const struct argp_option options[] = {
    {"catalogue", 'c', "FILE", 0, "Add a catalogue to the built-in one; may be repeated", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct catalogue_request *request = state->input;
    switch (key) {
    case 'c':
        request->files[request->file_count++] = argument;
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "too many arguments");
        if (state->arg_num == 0)
            request->section = argument;
        else
            request->entry = argument;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp catalogue_parser = {
    options,
    parse_option,
    "[SECTION [ENTRY]]",
    "Shows the tiers, machines, profiles and presets an experiment can name, and every number in them.\v"
    "Without arguments the sections are listed, with a section its entries, with an entry each of its values "
    "with "
    "status and source, and its dated rules. The section `defaults` holds what applies where nothing else is "
    "said.",
    NULL,
    NULL,
    NULL,
};

/* Pads by code points, which is near enough for names. */
static void print_padded(const char *text, int width)
{
    int used = 0;
    for (const char *c = text; *c != '\0'; c++)
        used += ((unsigned char)*c & 0xC0) != 0x80;
    printf("%s%*s", text, used < width ? width - used : 0, "");
}

static void print_values(struct arena *arena, const struct catalogue_values *values, const char *indent)
{
    for (size_t i = 0; i < values->count; i++) {
        const struct catalogue_value *value = &values->list[i];
        printf("%s", indent);
        print_padded(value->key, 28);
        putchar(' ');
        print_padded(node_text(arena, value->value), 18);
        printf(" %-10s %s%s%s\n", value_status_name(value->status), value->source,
               value->source[0] != '\0' && value->note[0] != '\0' ? "; " : "", value->note);
    }
}

static void print_entry(const struct opened_catalogue *opened, const struct catalogue_entry *entry)
{
    printf("%s", entry->name);
    if (entry->title[0] != '\0')
        printf(": %s", entry->title);
    if (entry->kind != NULL)
        printf("\nkind %s", entry->kind);
    printf("\n\n");
    print_values(opened->arena, &entry->values, "  ");
    for (size_t i = 0; i < entry->rules_count; i++) {
        const struct catalogue_rules *rules = &entry->rules[i];
        printf("\nrules %s, from %s%s%s%s\n", rules->name, rules->from, rules->title[0] != '\0' ? ": " : "",
               rules->title,
               i + 1 == entry->rules_count ? " (these hold unless an experiment says rules: ...)" : "");
        print_values(opened->arena, &rules->values, "  ");
    }
}

static void print_section(const struct catalogue_section *section)
{
    for (size_t i = 0; i < section->count; i++) {
        printf("  ");
        print_padded(section->entries[i]->name, 36);
        printf(" %s\n", section->entries[i]->title);
    }
}

static void print_all(const struct catalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->section_count; i++) {
        printf("%s\n", catalogue->sections[i].name);
        print_section(&catalogue->sections[i]);
    }
    printf("%s\n", DEFAULTS);
    for (size_t i = 0; i < catalogue->defaults_count; i++)
        printf("  %s\n", catalogue->defaults[i].table);
}

static int refuse(const char *what, const char *written, const struct suggestion *suggestion)
{
    fprintf(stderr, "vdisim catalogue: there is no %s '%s'", what, written);
    if (suggestion->best != NULL)
        fprintf(stderr, ". Did you mean %s?\n", suggestion->best);
    else
        fprintf(stderr, "; vdisim catalogue lists what there is\n");
    return EXIT_USAGE;
}

static int show_defaults(const struct opened_catalogue *opened, const char *table)
{
    const struct catalogue *catalogue = opened->catalogue;
    struct suggestion suggestion = {.written = table != NULL ? table : ""};
    for (size_t i = 0; i < catalogue->defaults_count; i++) {
        const struct catalogue_defaults *defaults = &catalogue->defaults[i];
        suggestion_offer(&suggestion, defaults->table);
        if (table != NULL && strcmp(table, defaults->table) != 0)
            continue;
        printf("%s\n", defaults->table);
        print_values(opened->arena, &defaults->values, "  ");
        if (table != NULL)
            return EXIT_FINE;
    }
    return table == NULL ? EXIT_FINE : refuse("table of defaults", table, &suggestion);
}

static int show(const struct opened_catalogue *opened, const struct catalogue_request *request)
{
    const struct catalogue *catalogue = opened->catalogue;
    if (request->section == NULL) {
        print_all(catalogue);
        return EXIT_FINE;
    }
    if (strcmp(request->section, DEFAULTS) == 0)
        return show_defaults(opened, request->entry);
    const struct catalogue_section *section = catalogue_section(catalogue, request->section);
    struct suggestion suggestion = {.written = request->section};
    for (size_t i = 0; i < catalogue->section_count; i++)
        suggestion_offer(&suggestion, catalogue->sections[i].name);
    if (section == NULL)
        return refuse("section", request->section, &suggestion);
    if (request->entry == NULL) {
        print_section(section);
        return EXIT_FINE;
    }
    const struct catalogue_entry *entry = catalogue_entry(catalogue, section->name, request->entry);
    suggestion = (struct suggestion){.written = request->entry};
    for (size_t i = 0; i < section->count; i++)
        suggestion_offer(&suggestion, section->entries[i]->name);
    if (entry == NULL)
        return refuse("entry", request->entry, &suggestion);
    print_entry(opened, entry);
    return EXIT_FINE;
}

int command_catalogue(int argc, char **argv)
{
    struct catalogue_request request = {.files = calloc((size_t)argc + 1, sizeof *request.files)};
    struct problems *problems = problems_create();
    int status = EXIT_FAILED;
    if (request.files == NULL || problems == NULL) {
        fprintf(stderr, "vdisim catalogue: out of memory\n");
    } else {
        argp_parse(&catalogue_parser, argc, argv, 0, NULL, &request);
        struct opened_catalogue *opened = catalogue_open(request.files, request.file_count, problems);
        problems_print(problems, stderr, terminal_colour(stderr));
        status = opened != NULL ? show(opened, &request) : EXIT_USAGE;
        catalogue_close(opened);
        if (fflush(stdout) != 0 || ferror(stdout)) {
            perror("vdisim catalogue: standard output");
            status = EXIT_FAILED;
        }
    }
    problems_destroy(problems);
    free(request.files);
    return status;
}
