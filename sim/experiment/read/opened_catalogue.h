/* The catalogue by itself, for the commands that show it and for the schema: built-in files and the user's. */
#ifndef VDISIM_OPENED_CATALOGUE_H
#define VDISIM_OPENED_CATALOGUE_H

#include "sim/experiment/read/catalogue.h"

struct opened_catalogue {
    struct arena *arena; /* owns the rest */
    struct vocabulary vocabulary;
    struct catalogue *catalogue;
};

/* NULL when a problem was added or memory is short. */
struct opened_catalogue *catalogue_open(const char *const *files, size_t file_count,
                                        struct problems *problems);
void catalogue_close(struct opened_catalogue *opened);

#endif
