/* A store without limits that answers each request after a constant time: a template for new stores, and the
 * measure of what the rest of the road costs. */
#ifndef VDISIM_NULL_STORE_H
#define VDISIM_NULL_STORE_H

#include "vdisim/world.h"

struct null_store_settings {
    int64_t latency_ns;
};

extern const struct parameter_table null_store_parameters;
extern const struct store_kind null_store_kind;

#endif
