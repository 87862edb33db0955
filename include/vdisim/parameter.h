/* Parameters: how a model says what can be set, without knowing where the settings come from.
 *
 * A model keeps its settings in a plain struct and describes that struct by one table, a row a setting: its
 * name, its dimension, its range, its help. Whoever fills the struct (the experiment reader, a test, a
 * program that uses the library) reads the table; so do the JSON Schema, `vdisim check --full` and the
 * reference page. A setting is declared once.
 *
 * Numbers do not live here. A row's default value, its source and its status (published, derived, calibrated,
 * assumed) are data in models/catalogue/: defaults.yaml has one block a table, and a table that names a
 * catalogue section can also be filled from a named entry of it (a tier, a profile, a preset), selected by
 * the key `selector`.
 *
 * Values come from, the later over the earlier: the block of the table in `defaults`; the catalogue entry,
 * under the dated rules chosen by the key `rules`; the experiment file; --set. A row with none of these is an
 * error, unless it is `optional`: then the field keeps its zero.
 */
#ifndef VDISIM_PARAMETER_H
#define VDISIM_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum parameter_type {
    PARAMETER_SIZE,       /* int64_t, bytes: `10 TiB`, `64 KiB`, `4.7 GB` */
    PARAMETER_THROUGHPUT, /* double, bytes per second: `40 MiB/s`, `12.5 Gbit/s` */
    PARAMETER_DURATION,   /* int64_t, nanoseconds: `3.6 s`, `60 min`, `0.17 ms` */
    PARAMETER_RATE,       /* double, per second: `10000 IOPS`, `20000 /h`, `5 /s` */
    PARAMETER_FRACTION,   /* double, 1 = 100 %: `87.5 %` */
    PARAMETER_COUNT,      /* int64_t: `1000`, `1,500` */
    PARAMETER_NUMBER,     /* double without a dimension: `0.2` */
    PARAMETER_BOOLEAN,    /* bool: `true`, `false` (also on/off, yes/no) */
    PARAMETER_CHOICE,     /* int, index in `choices` */
    PARAMETER_TEXT,       /* const char *, owned by whoever filled the struct */
    PARAMETER_TEXTS,      /* struct parameter_texts: a list of texts */
    PARAMETER_STORE,      /* const char *: the name of one of the experiment's stores */
    PARAMETER_HOSTS,      /* const char *: the name of one of the experiment's host groups */
    PARAMETER_GROUP,      /* a struct inside the struct, described by `group` */
};

struct parameter_texts {
    const char *const *texts;
    size_t count;
};

struct parameter {
    const char *name;
    enum parameter_type type;
    size_t offset;                       /* of the field in the struct */
    double minimum, maximum;             /* inclusive, in the unit of the field; both 0: no bounds but >= 0 */
    bool may_be_unlimited;               /* `unlimited` is allowed: INFINITY, or INT64_MAX for integers */
    bool optional;                       /* may be left out without a default: the field stays zero */
    const char *const *choices;          /* PARAMETER_CHOICE: NULL-terminated */
    const struct parameter_table *group; /* PARAMETER_GROUP */
    const char *help;                    /* one sentence, no full stop */
};

/* What is wrong with a filled struct beyond the range of each value. */
struct parameter_problem {
    const char *parameter; /* dotted name of the row to point at, e.g. "latency.create" */
    const char *text;      /* of a list of texts: the one to point at, as the settings hold it; NULL: the list */
    char message[256];
};

struct parameter_table {
    const char *name;     /* of the block in the catalogue's defaults, and of the page in the reference */
    const char *help;     /* what this is, one sentence */
    size_t size;          /* of the struct */
    const char *section;  /* catalogue section whose entries can fill it, or NULL */
    const char *selector; /* key that names the entry: `tier`, `preset`; a bare scalar in place of the map
                             does, too */
    const struct parameter *rows;
    size_t row_count;
    /* Relations between values; NULL if there are none. True: fine. False: `problem` says what is wrong. */
    bool (*check)(const void *settings, struct parameter_problem *problem);
};

#define PARAMETER_ROWS(array) .rows = (array), .row_count = sizeof(array) / sizeof((array)[0])

#endif
