/* From the tree of one cell to a scenario: every store, group of hosts, workload, the network and the run are
 * read with their tables. */
#ifndef VDISIM_SCENARIO_H
#define VDISIM_SCENARIO_H

#include "sim/experiment/read/node.h"
#include "sim/experiment/read/reader.h"
#include "sim/experiment/read/vocabulary.h"
#include "vdisim/world.h"

/* One part of a scenario with where each of its values came from. */
struct part {
    const char *path; /* "stores.profiles", "network" */
    const char *kind; /* NULL where there is only one */
    const struct block *block;
};

struct resolution {
    struct scenario scenario;
    const struct part *parts; /* in the order stores, hosts, network, workloads, run */
    size_t count;
};

/* The sections whose members are named by the user. */
#define SECTION_STORES    "stores"
#define SECTION_HOSTS     "hosts"
#define SECTION_WORKLOADS "workloads"
#define DEFAULT_HOSTS     "hosts" /* the group there is when the file names none */

/* Checks the names of stores, hosts and workloads of the root of an experiment and tells them to the reader.
 * Names are letters, digits, - and _, beginning with a letter: they become part of metric and file names. */
void scenario_names(struct reader *reader, const struct node *root);

/* Reads all parts. Problems go to the reader's; the result is to be used only when there are none. */
const struct resolution *scenario_resolve(struct reader *reader, const struct vocabulary *vocabulary,
                                          const struct node *root);

#endif
