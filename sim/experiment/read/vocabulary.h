/* The vocabulary of experiment files: every table of parameters that one can use.
 *
 * The reader, the catalogue, the schema and the reference all take it as an argument; the program uses that
 * of the models, tests bring their own.
 */
#ifndef VDISIM_VOCABULARY_H
#define VDISIM_VOCABULARY_H

#include "vdisim/parameter.h"
#include "vdisim/world.h"

#include <stdbool.h>
#include <stddef.h>

struct vocabulary {
    const struct store_kind *const *stores; /* NULL-terminated */
    const struct workload_kind *const *workloads;
    const struct parameter_table *hosts;
    const struct parameter_table *network;
    const struct parameter_table *run; /* of struct run_settings */
};

/* What models/world/registry.c offers. */
struct vocabulary vocabulary_of_models(void);

const struct store_kind *vocabulary_store(const struct vocabulary *vocabulary, const char *kind);
const struct workload_kind *vocabulary_workload(const struct vocabulary *vocabulary, const char *kind);

/* Calls visit for every table, the tables of groups included (a table used twice is visited twice), until it
 * returns false. `kind` is the store kind the table belongs to at its top, or NULL. */
typedef bool vocabulary_visit(void *context, const struct parameter_table *table, const char *kind);
void vocabulary_each(const struct vocabulary *vocabulary, vocabulary_visit *visit, void *context);

/* The table of that name, or NULL. */
const struct parameter_table *vocabulary_table(const struct vocabulary *vocabulary, const char *name);

/* The table that entries of a catalogue section fill: that of the store kind `kind`, or, when kind is NULL,
 * the only one that is not a store's. NULL if there is none. */
const struct parameter_table *vocabulary_section(const struct vocabulary *vocabulary, const char *section,
                                                 const char *kind);

/* Whether some table names the section; whether a store's does. */
bool vocabulary_has_section(const struct vocabulary *vocabulary, const char *section, bool *of_stores);

/* The row at a dotted path through groups, or NULL. */
const struct parameter *parameter_at_path(const struct parameter_table *table, const char *path);

#endif
