#include "sim/experiment/read/stated_store.h"

#include "sim/experiment/read/document.h"
#include "sim/experiment/read/suggest.h"

#include <string.h>

#define SECTION "tiers"

static struct position on_command_line(struct arena *arena, const char *option, const char *text)
{
    return (struct position){.file = arena_format(arena, "--%s %s", option, text)};
}

static const struct node *with(struct arena *arena, const struct node *root, const char *key,
                               const char *text, struct position at)
{
    struct node *scalar = node_scalar(arena, text, at);
    scalar->quoted = true;
    return node_with(arena, root, key, at, scalar);
}

static const struct node *with_set(struct arena *arena, const struct node *root, const char *set,
                                   struct problems *problems)
{
    const struct position at = on_command_line(arena, "set", set);
    const char *equals = strchr(set, '=');
    if (equals == NULL || equals == set || equals[1] == '\0') {
        problem_add(problems, PROBLEM_ERROR, at, "is written KEY=VALUE, e.g. iops=20000 IOPS");
        return root;
    }
    const struct node *value = document_parse(arena, at.file, equals + 1, strlen(equals + 1), problems);
    if (value == NULL)
        return root;
    if (value->kind == NODE_SCALAR) {
        struct node *scalar = node_scalar(arena, value->text, at);
        scalar->quoted = value->quoted;
        value = scalar;
    }
    return node_with(arena, root, arena_text_n(arena, set, (size_t)(equals - set)), at, value);
}

static const struct node *node_of(struct arena *arena, const struct stated_store_request *request,
                                  struct problems *problems)
{
    const struct node *root = ARENA_NEW(arena, struct node);
    ((struct node *)root)->kind = NODE_MAP;
    root = with(arena, root, "tier", request->entry, (struct position){.file = request->entry});
    if (request->rules != NULL)
        root = with(arena, root, "rules", request->rules,
                    on_command_line(arena, request->rules_by_name ? "rules" : "date", request->rules));
    if (request->size != NULL)
        root = with(arena, root, "size", request->size, on_command_line(arena, "size", request->size));
    for (size_t i = 0; i < request->set_count; i++)
        root = with_set(arena, root, request->sets[i], problems);
    return root;
}

static const struct catalogue_entry *find(const struct catalogue *catalogue, const char *name,
                                          struct problems *problems)
{
    const struct catalogue_section *section = catalogue_section(catalogue, SECTION);
    struct suggestion suggestion = {.written = name};
    for (size_t i = 0; section != NULL && i < section->count; i++) {
        if (strcmp(section->entries[i]->name, name) == 0)
            return section->entries[i];
        suggestion_offer(&suggestion, section->entries[i]->name);
    }
    problem_add(problems, PROBLEM_ERROR, (struct position){.file = "catalogue"},
                "there is no tier '%.60s'%s%s%s", name,
                suggestion.best != NULL ? ". Did you mean " : "; vdisim catalogue tiers lists what there is",
                suggestion.best != NULL ? suggestion.best : "", suggestion.best != NULL ? "?" : "");
    return NULL;
}

static bool read_in(struct opened_catalogue *opened, const struct stated_store_request *request,
                    struct problems *problems, struct stated_store *stated)
{
    struct arena *arena = opened->arena;
    *stated = (struct stated_store){.entry = find(opened->catalogue, request->entry, problems)};
    if (stated->entry == NULL)
        return false;
    const size_t errors = problems_errors(problems);
    stated->kind = vocabulary_store(&opened->vocabulary, stated->entry->kind);
    struct reader reader = {.arena = arena, .problems = problems, .catalogue = opened->catalogue};
    stated->block = reader_read(&reader, &(struct block_request){.table = stated->kind->parameters,
                                                                 .name = stated->entry->name,
                                                                 .node = node_of(arena, request, problems),
                                                                 .at = {.file = stated->entry->name},
                                                                 .sold_in_binary = true});
    if (problems_errors(problems) > errors)
        return false;
    char message[300];
    stated->rules = catalogue_rules(stated->entry, request->rules, message, sizeof message);
    if (stated->kind->capacity_bytes != NULL)
        stated->size_bytes = stated->kind->capacity_bytes(stated->block->settings);
    if (stated->kind->entitle != NULL)
        stated->kind->entitle(stated->block->settings, &stated->entitlement);
    return true;
}

bool stated_store_read(struct opened_catalogue *opened, const struct stated_store_request *request,
                       struct problems *problems, struct stated_store *stated)
{
    jmp_buf landing;
    if (setjmp(landing) != 0) {
        arena_set_landing(opened->arena, NULL);
        problem_add(problems, PROBLEM_ERROR, (struct position){.file = "catalogue"}, "out of memory");
        return false;
    }
    arena_set_landing(opened->arena, &landing);
    const bool fine = read_in(opened, request, problems, stated);
    arena_set_landing(opened->arena, NULL);
    return fine;
}

static void visit_those_of(const struct catalogue_contradictions *contradictions, int64_t size_bytes,
                           void (*visit)(void *context, const struct catalogue_contradiction *contradiction),
                           void *context)
{
    for (size_t i = 0; i < contradictions->count; i++)
        if (contradictions->list[i].size_bytes == 0 || contradictions->list[i].size_bytes == size_bytes)
            visit(context, &contradictions->list[i]);
}

void stated_store_contradictions(const struct stated_store *stated,
                                 void (*visit)(void *context,
                                               const struct catalogue_contradiction *contradiction),
                                 void *context)
{
    visit_those_of(&stated->entry->contradictions, stated->size_bytes, visit, context);
    if (stated->rules != NULL)
        visit_those_of(&stated->rules->contradictions, stated->size_bytes, visit, context);
}
