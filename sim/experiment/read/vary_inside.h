/* The inside of reading `vary`, for the files that read one kind of axis each. */
#ifndef VDISIM_VARY_INSIDE_H
#define VDISIM_VARY_INSIDE_H

#include "sim/experiment/read/vary.h"

struct vary_reading {
    const struct varying *varying;
    struct vary *vary;
};

void vary_refuse(const struct vary_reading *reading, struct position at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with "Did you mean X?" or the list of what there is. */
void vary_refuse_unknown(const struct vary_reading *reading, struct position at, const char *what,
                         const char *written, const char *const *known, size_t count);

/* An axis with room for its keys and values, not added yet. */
struct axis vary_axis(const struct vary_reading *reading, size_t keys, size_t items);
void vary_add_axis(struct vary_reading *reading, struct axis axis);

/* Whether the key may be varied; false with the problem added. */
bool vary_check_key(const struct vary_reading *reading, const char *key, struct position at);

/* `KEY: [one, two]`; a map of lists, or a list of such maps; `table: FILE.csv`; the map `sample`. */
void vary_read_list(struct vary_reading *reading, const struct entry *entry);
void vary_read_lockstep(struct vary_reading *reading, const struct node *node);
void vary_read_table(struct vary_reading *reading, const struct node *node);
void vary_read_sample(struct vary_reading *reading, const struct node *node);

#endif
