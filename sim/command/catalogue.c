/* vdisim catalogue: the numbers the models use, each with its status and source. */
#include "sim/command/catalogue_print.h"
#include "sim/command/command.h"
#include "sim/command/options.h"
#include "sim/command/streams.h"
#include "sim/command/terminal.h"
#include "sim/experiment/read/suggest.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULTS "defaults"

/* The section of stores, and what people call it. */
#define TIERS  "tiers"
#define STORES "stores"

struct catalogue_request {
    const char *section, *entry;
    const char **files, **sets;
    size_t file_count;
    struct stated_store_request store; /* when a size, a date, rules or settings are given */
    bool states_store, json;
};

enum { KEY_DATE = 256, KEY_RULES, KEY_SET };

static const struct argp_option options[] = {
    {"size", 's', "SIZE", 0, "Work out the limits of a tier of this size, with formulas: 10TiB", 0},
    {"date", KEY_DATE, "YYYY-MM", 0, "... under the rules in force at this date", 0},
    {"rules", KEY_RULES, "NAME", 0, "... under the rules of this name", 0},
    {"set", KEY_SET, "KEY=VALUE", 0, "... with this setting, e.g. 'iops=20000 IOPS'; may be repeated", 0},
    {"format", 'f', "table|json", 0, "What to print on standard output (default: table)", 0},
    {"catalogue", 'c', "FILE", 0, "Add a catalogue to the built-in one; may be repeated", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct catalogue_request *request = state->input;
    switch (key) {
    case 's':
        request->store.size = argument;
        request->states_store = true;
        break;
    case KEY_DATE:
    case KEY_RULES:
        if (request->store.rules != NULL)
            argp_error(state, "give one date, or one name of rules");
        request->store.rules = argument;
        request->store.rules_by_name = key == KEY_RULES;
        request->states_store = true;
        break;
    case KEY_SET:
        request->sets[request->store.set_count++] = option_setting(state, "set", argument);
        request->states_store = true;
        break;
    case 'f':
        request->json = strcmp(argument, "json") == 0;
        if (!request->json && strcmp(argument, "table") != 0)
            argp_error(state, "--format: '%s' is not one of table, json", argument);
        break;
    case 'c':
        request->files[request->file_count++] = argument;
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "too many arguments");
        if (state->arg_num == 0)
            request->section = strcmp(argument, STORES) == 0 ? TIERS : argument;
        else
            request->entry = argument;
        break;
    case ARGP_KEY_END:
        if (request->states_store &&
            (request->entry == NULL || request->section == NULL || strcmp(request->section, TIERS) != 0))
            argp_error(
                state,
                "a size, a date, rules and settings are of one of the tiers: vdisim catalogue tiers ENTRY");
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
    "with status and source, and its dated rules. The section `defaults` holds what applies where nothing "
    "else is "
    "said. With a size, a date or settings, what a store of that tier may do is worked out: "
    "vdisim catalogue tiers azure-files/premium --size 10TiB --date 2021-01",
    NULL,
    NULL,
    NULL,
};

static void print_all(const struct catalogue *catalogue, struct writer *writer, bool json)
{
    if (json)
        write_text(writer, "{");
    for (size_t i = 0; i < catalogue->section_count; i++) {
        const struct catalogue_section *section = &catalogue->sections[i];
        write_text(writer, json ? "%s\"%s\": " : "%s%s\n", json && i > 0 ? "," : "", section->name);
        print_section(section, writer, json);
    }
    write_text(writer, json ? ",\"" DEFAULTS "\": [" : DEFAULTS "\n");
    for (size_t i = 0; i < catalogue->defaults_count; i++)
        write_text(writer, json ? "%s\"%s\"" : "%s  %s\n", json && i > 0 ? ", " : "",
                   catalogue->defaults[i].table);
    if (json)
        write_text(writer, "]}\n");
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

/* Defaults are shown as an entry that has the table's name. */
static int show_defaults(const struct opened_catalogue *opened, const struct catalogue_request *request,
                         struct writer *writer)
{
    const struct catalogue *catalogue = opened->catalogue;
    const char *table = request->entry;
    struct suggestion suggestion = {.written = table != NULL ? table : ""};
    if (table == NULL && request->json)
        write_text(writer, "[");
    for (size_t i = 0; i < catalogue->defaults_count; i++) {
        const struct catalogue_defaults *defaults = &catalogue->defaults[i];
        suggestion_offer(&suggestion, defaults->table);
        if (table != NULL && strcmp(table, defaults->table) != 0)
            continue;
        if (request->json) {
            const struct catalogue_entry entry = {
                .name = defaults->table, .title = "", .values = defaults->values};
            write_text(writer, "%s", table == NULL && i > 0 ? "," : "");
            print_entry(opened->arena, &entry, writer, true);
        } else {
            write_text(writer, "%s\n", defaults->table);
            print_values(opened->arena, &defaults->values, "  ", writer);
        }
        if (table != NULL)
            return EXIT_FINE;
    }
    if (table == NULL && request->json)
        write_text(writer, "]\n");
    return table == NULL ? EXIT_FINE : refuse("table of defaults", table, &suggestion);
}

static int show_entry(const struct opened_catalogue *opened, const struct catalogue_section *section,
                      const struct catalogue_request *request, struct writer *writer)
{
    const struct catalogue_entry *entry = catalogue_entry(opened->catalogue, section->name, request->entry);
    struct suggestion suggestion = {.written = request->entry};
    for (size_t i = 0; i < section->count; i++)
        suggestion_offer(&suggestion, section->entries[i]->name);
    if (entry == NULL)
        return refuse("entry", request->entry, &suggestion);
    print_entry(opened->arena, entry, writer, request->json);
    return EXIT_FINE;
}

static int show_store(struct opened_catalogue *opened, const struct catalogue_request *request,
                      struct problems *problems, struct writer *writer)
{
    struct stated_store_request asked = request->store;
    asked.entry = request->entry;
    asked.sets = request->sets;
    struct stated_store stated;
    const bool fine = stated_store_read(opened, &asked, problems, &stated);
    problems_print(problems, stderr, terminal_colour(stderr));
    if (fine)
        print_stated_store(&stated, writer, request->json);
    return fine ? EXIT_FINE : EXIT_USAGE;
}

static int show(struct opened_catalogue *opened, const struct catalogue_request *request,
                struct problems *problems, struct writer *writer)
{
    const struct catalogue *catalogue = opened->catalogue;
    if (request->section == NULL) {
        print_all(catalogue, writer, request->json);
        return EXIT_FINE;
    }
    if (strcmp(request->section, DEFAULTS) == 0)
        return show_defaults(opened, request, writer);
    const struct catalogue_section *section = catalogue_section(catalogue, request->section);
    struct suggestion suggestion = {.written = request->section};
    for (size_t i = 0; i < catalogue->section_count; i++)
        suggestion_offer(&suggestion, catalogue->sections[i].name);
    if (section == NULL)
        return refuse("section", request->section, &suggestion);
    if (request->entry == NULL) {
        print_section(section, writer, request->json);
        return EXIT_FINE;
    }
    return request->states_store ? show_store(opened, request, problems, writer)
                                 : show_entry(opened, section, request, writer);
}

int command_catalogue(int argc, char **argv)
{
    struct catalogue_request request = {.files = calloc((size_t)argc + 1, sizeof *request.files),
                                        .sets = calloc((size_t)argc + 1, sizeof *request.sets)};
    struct problems *problems = problems_create();
    int status = EXIT_FAILED;
    if (request.files == NULL || request.sets == NULL || problems == NULL) {
        fprintf(stderr, "vdisim catalogue: out of memory\n");
    } else {
        argp_parse(&catalogue_parser, argc, argv, 0, NULL, &request);
        struct writer writer = {.file = stdout};
        struct opened_catalogue *opened = catalogue_open(request.files, request.file_count, problems);
        status = EXIT_USAGE;
        if (opened != NULL)
            status = show(opened, &request, problems, &writer);
        else
            problems_print(problems, stderr, terminal_colour(stderr));
        catalogue_close(opened);
        if (!output_is_flushed("catalogue", &writer, false))
            status = EXIT_FAILED;
    }
    problems_destroy(problems);
    free(request.files);
    free(request.sets);
    return status;
}
