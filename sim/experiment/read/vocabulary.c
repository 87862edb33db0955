#include "sim/experiment/read/vocabulary.h"

#include <string.h>

const struct store_kind *vocabulary_store(const struct vocabulary *vocabulary, const char *kind)
{
    for (const struct store_kind *const *store = vocabulary->stores; *store != NULL; store++)
        if (strcmp((*store)->name, kind) == 0)
            return *store;
    return NULL;
}

const struct workload_kind *vocabulary_workload(const struct vocabulary *vocabulary, const char *kind)
{
    for (const struct workload_kind *const *workload = vocabulary->workloads; *workload != NULL; workload++)
        if (strcmp((*workload)->name, kind) == 0)
            return *workload;
    return NULL;
}

static bool visit_table(const struct parameter_table *table, const char *kind, vocabulary_visit *visit,
                        void *context)
{
    if (!visit(context, table, kind))
        return false;
    for (size_t i = 0; i < table->row_count; i++)
        if (table->rows[i].type == PARAMETER_GROUP &&
            !visit_table(table->rows[i].group, NULL, visit, context))
            return false;
    return true;
}

void vocabulary_each(const struct vocabulary *vocabulary, vocabulary_visit *visit, void *context)
{
    for (const struct store_kind *const *store = vocabulary->stores; *store != NULL; store++)
        if (!visit_table((*store)->parameters, (*store)->name, visit, context))
            return;
    for (const struct workload_kind *const *workload = vocabulary->workloads; *workload != NULL; workload++)
        if (!visit_table((*workload)->parameters, NULL, visit, context))
            return;
    if (visit_table(vocabulary->hosts, NULL, visit, context) &&
        visit_table(vocabulary->network, NULL, visit, context))
        visit_table(vocabulary->run, NULL, visit, context);
}

struct search {
    const char *name, *section, *kind;
    bool of_stores;
    const struct parameter_table *found;
};

static bool has_name(void *context, const struct parameter_table *table, const char *kind)
{
    struct search *search = context;
    (void)kind;
    if (strcmp(table->name, search->name) != 0)
        return true;
    search->found = table;
    return false;
}

const struct parameter_table *vocabulary_table(const struct vocabulary *vocabulary, const char *name)
{
    struct search search = {.name = name};
    vocabulary_each(vocabulary, has_name, &search);
    return search.found;
}

static bool has_section(void *context, const struct parameter_table *table, const char *kind)
{
    struct search *search = context;
    if (table->section == NULL || strcmp(table->section, search->section) != 0)
        return true;
    if ((kind == NULL) != (search->kind == NULL) || (kind != NULL && strcmp(kind, search->kind) != 0))
        return true;
    search->found = table;
    return false;
}

const struct parameter_table *vocabulary_section(const struct vocabulary *vocabulary, const char *section,
                                                 const char *kind)
{
    struct search search = {.section = section, .kind = kind};
    vocabulary_each(vocabulary, has_section, &search);
    return search.found;
}

static bool names_section(void *context, const struct parameter_table *table, const char *kind)
{
    struct search *search = context;
    if (table->section == NULL || strcmp(table->section, search->section) != 0)
        return true;
    search->found = table;
    search->of_stores = kind != NULL;
    return false;
}

bool vocabulary_has_section(const struct vocabulary *vocabulary, const char *section, bool *of_stores)
{
    struct search search = {.section = section};
    vocabulary_each(vocabulary, names_section, &search);
    *of_stores = search.of_stores;
    return search.found != NULL;
}

const struct parameter *parameter_at_path(const struct parameter_table *table, const char *path)
{
    size_t length = strcspn(path, ".");
    for (size_t i = 0; i < table->row_count; i++) {
        const struct parameter *row = &table->rows[i];
        if (strncmp(row->name, path, length) != 0 || row->name[length] != '\0')
            continue;
        if (path[length] == '\0')
            return row;
        return row->type == PARAMETER_GROUP ? parameter_at_path(row->group, path + length + 1) : NULL;
    }
    return NULL;
}
