/* The catalogue: the numbers of the models, each with its source and status, as data.
 *
 *     sources:                                   # short names for sources, optional
 *       ms-billing-2021-01: "Microsoft, understanding-billing, 27 Jan 2021"
 *     defaults:
 *       share:                                   # name of a parameter table
 *         latency.create: {value: 5 ms, status: assumed, source: ms-billing-2021-01, note: ...}
 *     tiers:                                     # a section: what a table's `section` names
 *       azure-files/premium:                     # an entry: what its `selector` chooses
 *         kind: share                            # entries that fill stores say which kind of store
 *         title: Azure Files premium
 *         values: {size: {value: 5 TiB, status: published, source: ...}}
 *         rules:                                 # dated variants, oldest first, each over `values`; optional
 *           - {name: B, from: 2020-07, title: ..., values: {...}}
 *         contradictions:                        # where sources disagree, of the entry or of one of its rules; optional
 *           - {about: base_iops, size: 10 TiB, says: "10,240 IOPS", source: article, used: "10,640, by the formula"}
 *       ours/premium:
 *         like: azure-files/premium              # an earlier entry of the section: its kind and values are taken over,
 *         without: [price.list]                  # but these,
 *         values: {...}                          # and these over them; its rules and contradictions unless it has its own
 *
 * Keys of values are dotted paths through groups. The status is published, derived, calibrated or assumed; a
 * value has a source (a short name or free text), an assumed one at least a note. Everything is checked
 * against the parameter tables as it is read, a user's file as the built-in ones. A file that is added later
 * adds to the earlier: it replaces entries of the same name as a whole, and defaults and sources one by one.
 */
#ifndef VDISIM_CATALOGUE_H
#define VDISIM_CATALOGUE_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/embedded.h"
#include "sim/experiment/read/node.h"
#include "sim/experiment/read/problem.h"
#include "sim/experiment/read/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_status { STATUS_PUBLISHED, STATUS_DERIVED, STATUS_CALIBRATED, STATUS_ASSUMED, STATUS_COUNT };

const char *value_status_name(enum value_status status);

struct catalogue_value {
    const char *key; /* dotted, or the table's selector */
    struct position key_at;
    const struct node *value;
    enum value_status status;
    const char *source, *note; /* the source spelled out; "" where there is none */
};

struct catalogue_values {
    struct catalogue_value *list;
    size_t count;
};

/* What a source says and what is used in its place. */
struct catalogue_contradiction {
    const char *about;  /* a key of a value */
    const char *says;   /* by the source that is not followed */
    const char *source; /* spelled out */
    const char *used;   /* and why */
    int64_t size_bytes; /* of the only size that it concerns; 0: of all */
};

struct catalogue_contradictions {
    struct catalogue_contradiction *list;
    size_t count;
};

/* A dated variant of an entry. */
struct catalogue_rules {
    const char *name;  /* "B" */
    const char *from;  /* "2020-07" or "2020-07-15" */
    const char *title; /* may be "" */
    struct catalogue_values values;
    struct catalogue_contradictions contradictions;
};

struct catalogue_entry {
    const char *name;
    const char *kind; /* of store, or NULL */
    const char *title;
    struct position at;
    const struct parameter_table *table; /* what it fills */
    struct catalogue_values values;
    struct catalogue_rules *rules;
    size_t rules_count;
    struct catalogue_contradictions contradictions;
};

struct catalogue_section {
    const char *name;
    struct catalogue_entry **entries;
    size_t count;
};

struct catalogue_defaults {
    const char *table;
    struct catalogue_values values;
};

struct catalogue_source {
    const char *name, *text;
};

struct catalogue {
    struct arena *arena;
    const struct vocabulary *vocabulary;
    struct catalogue_source *sources;
    size_t source_count;
    struct catalogue_defaults *defaults;
    size_t defaults_count;
    struct catalogue_section *sections;
    size_t section_count;
};

/* An empty one, in the arena; `vocabulary` outlives it. */
struct catalogue *catalogue_create(struct arena *arena, const struct vocabulary *vocabulary);

/* Adds what a document says; problems are added at their places and what is wrong is left out. */
void catalogue_add(struct catalogue *catalogue, const struct node *root, struct problems *problems);

/* Adds only its sources: of several files that share them, all sources come first. */
void catalogue_add_sources(struct catalogue *catalogue, const struct node *root, struct problems *problems);

/* Adds files embedded in the program, `embedded_catalogue` as a rule. */
void catalogue_add_embedded(struct catalogue *catalogue, const struct embedded_file *files,
                            struct problems *problems);

/* NULL when there is none of that name. */
const struct catalogue_section *catalogue_section(const struct catalogue *catalogue, const char *name);
const struct catalogue_entry *catalogue_entry(const struct catalogue *catalogue, const char *section,
                                              const char *name);
const struct catalogue_values *catalogue_defaults(const struct catalogue *catalogue, const char *table);
const struct catalogue_value *catalogue_value(const struct catalogue_values *values, const char *key);

/* The variant that `rules`, a date (YYYY-MM-DD, or YYYY-MM for the end of that month) or a name, selects: the
 * latest that began not later; the latest of all for NULL. NULL: none; `message` says why, "" when the entry
 * simply has none. */
const struct catalogue_rules *catalogue_rules(const struct catalogue_entry *entry, const char *rules,
                                              char *message, size_t message_size);

#endif
