/* An entitlement: what a store of some size may do, each limit with the formula it follows from and the numbers put in.
 *
 * A kind of store that is limited writes one into a struct that the caller provides (struct store_kind, world.h):
 *
 *     struct entitlement entitlement = {0};
 *     kind->entitle(settings, &entitlement);
 *     for (size_t i = 0; i < entitlement.count; i++) ... entitlement.rows[i].name ...
 *
 * It is the same arithmetic that a run uses, done once: nothing here is simulated.
 */
#ifndef VDISIM_ENTITLEMENT_H
#define VDISIM_ENTITLEMENT_H

#include <stddef.h>

struct entitlement_row {
    char name[48];     /* "iops.base": lower case with dots, for programs */
    char label[64];    /* "baseline": for people */
    const char *unit;  /* "IOPS", "MiB/s", "MB/s", "s", "ms", "credits", "" */
    double value;      /* INFINITY: no limit */
    char formula[200]; /* "400 + 10,240 GiB x 1, at most 100,000"; "" where it is plainly given */
};

#define ENTITLEMENT_ROWS_MAX 40

struct entitlement {
    struct entitlement_row rows[ENTITLEMENT_ROWS_MAX];
    size_t count;
};

/* Adds a row; the unit outlives the entitlement. `format` is printf's. */
void entitlement_add(struct entitlement *entitlement, const char *name, const char *label, const char *unit,
                     double value, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The row of that name, or NULL. */
const struct entitlement_row *entitlement_row(const struct entitlement *entitlement, const char *name);

/* "1,024", "8.5", "unlimited": a number as formulas have it. Written to `text`, of at least 32 bytes, and returned. */
const char *entitlement_number(double value, char *text);

#endif
