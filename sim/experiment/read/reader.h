/* The reader: fills the struct that a parameter table describes, from a node of an experiment and the
 * catalogue.
 *
 * For each row the value is looked for, in this order: the experiment; the catalogue entry that the
 * experiment selects (its dated rules before its plain values); what an entry or the defaults of the table
 * around a group say of the group's rows; the defaults of the table itself. A catalogue entry is selected by
 * the table's selector key (`tier: X`), by a bare scalar in place of the map, or by the catalogue itself; its
 * dated rules by the key `rules`. Every value remembers where it came from. All that is wrong is reported at
 * its place; a block with problems is complete in shape, but its settings must not be used.
 *
 * A node that was read before for the same table is not read again: variants of one experiment share
 * branches.
 */
#ifndef VDISIM_READER_H
#define VDISIM_READER_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/catalogue.h"
#include "sim/experiment/read/node.h"
#include "sim/experiment/read/problem.h"

enum origin_kind {
    ORIGIN_FILE,    /* written in the experiment, under vary, or as --set */
    ORIGIN_ENTRY,   /* a catalogue entry */
    ORIGIN_DEFAULT, /* the catalogue's defaults */
    ORIGIN_ONLY,    /* the only store, or group of hosts, there is */
    ORIGIN_UNSET,   /* optional and left out */
};

struct origin {
    enum origin_kind kind;
    struct position at;        /* ORIGIN_FILE, and of the key in the catalogue */
    const char *entry, *rules; /* ORIGIN_ENTRY: names; rules may be NULL */
    enum value_status status;  /* ORIGIN_ENTRY, ORIGIN_DEFAULT */
    const char *source, *note; /* the same */
};

/* One value of a block. `row` is NULL for what is no field: the kind, the entry and the rules chosen. */
struct setting {
    const struct parameter *row;
    const char *path; /* dotted, within the block: "latency.create" */
    const void *field;
    const char *written; /* as it stands in the file or the catalogue */
    struct origin origin;
};

struct block {
    const struct parameter_table *table;
    void *settings; /* the struct */
    const struct setting *list;
    size_t count;
};

struct names {
    const char *const *list;
    size_t count;
};

struct reader {
    struct arena *arena;
    struct problems *problems;
    const struct catalogue *catalogue;
    struct names stores, hosts; /* what PARAMETER_STORE and PARAMETER_HOSTS may name */
    struct reading *readings;   /* private: what was read before, by a hash of node and table */
    size_t reading_count, reading_room;
};

/* What is read, beside the table. */
struct block_request {
    const struct parameter_table *table;
    const char *name;        /* for messages: "profiles" */
    const struct node *node; /* may be NULL or empty: nothing is set */
    struct position at;      /* of the key, where what is missing is reported */
    const char *kind_key;    /* a key of the map that the caller has read ("kind"), or NULL */
    bool sold_in_binary;     /* a decimal size is probably a mistake: a store's */
};

const struct block *reader_read(struct reader *reader, const struct block_request *request);

/* The catalogue entry that a node selects in a section by `selector` or by being a bare scalar; NULL if it
 * selects none. */
const struct node *reader_selected(const struct node *node, const char *selector);

#endif
