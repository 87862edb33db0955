#include "sim/experiment/read/vary.h"

#include "sim/experiment/read/reader.h"
#include "sim/experiment/read/scenario.h"

#include <string.h>

/* The kind a store says it is, or is by its tier; NULL when that is not to be told. */
static const struct store_kind *kind_of_store(const struct varying *varying, const struct node *node)
{
    const struct node *written = node_get(node, "kind");
    if (written != NULL && written->kind == NODE_SCALAR)
        return vocabulary_store(varying->vocabulary, written->text);
    for (const struct store_kind *const *kind = varying->vocabulary->stores; *kind != NULL; kind++) {
        const struct parameter_table *table = (*kind)->parameters;
        const struct node *tier = table->section != NULL ? reader_selected(node, table->selector) : NULL;
        if (tier == NULL || tier->kind != NODE_SCALAR)
            continue;
        const struct catalogue_entry *entry = catalogue_entry(varying->catalogue, table->section, tier->text);
        if (entry != NULL && entry->kind != NULL)
            return vocabulary_store(varying->vocabulary, entry->kind);
    }
    return NULL;
}

static const struct parameter *of_store(const struct varying *varying, const struct node *node,
                                        const char *path)
{
    const struct store_kind *kind = kind_of_store(varying, node);
    if (kind != NULL)
        return parameter_at_path(kind->parameters, path);
    const struct parameter *row = NULL; /* the kind is varied, perhaps: what any of them has */
    for (size_t i = 0; row == NULL && varying->vocabulary->stores[i] != NULL; i++)
        row = parameter_at_path(varying->vocabulary->stores[i]->parameters, path);
    return row;
}

static const struct parameter *of_workload(const struct varying *varying, const struct node *node,
                                           const char *name, const char *path)
{
    const struct node *written = node_get(node, "kind");
    const struct workload_kind *kind = vocabulary_workload(
        varying->vocabulary, written != NULL && written->kind == NODE_SCALAR ? written->text : name);
    return kind != NULL ? parameter_at_path(kind->parameters, path) : NULL;
}

const struct parameter *vary_parameter(const struct varying *varying, const char *key)
{
    const char *name = key + strcspn(key, ".");
    if (*name == '\0')
        return NULL;
    const char *section = arena_text_n(varying->arena, key, (size_t)(name - key));
    name++;
    if (strcmp(section, "network") == 0)
        return parameter_at_path(varying->vocabulary->network, name);
    if (strcmp(section, "run") == 0)
        return parameter_at_path(varying->vocabulary->run, name);
    const char *path = name + strcspn(name, ".");
    if (*path == '\0')
        return NULL;
    name = arena_text_n(varying->arena, name, (size_t)(path - name));
    path++;
    const struct node *node = node_get(node_get(varying->root, section), name);
    if (strcmp(section, SECTION_STORES) == 0)
        return of_store(varying, node, path);
    if (strcmp(section, SECTION_HOSTS) == 0)
        return parameter_at_path(varying->vocabulary->hosts, path);
    if (strcmp(section, SECTION_WORKLOADS) == 0)
        return of_workload(varying, node, name, path);
    return NULL;
}
