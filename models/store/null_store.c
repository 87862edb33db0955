/* A store without limits that answers each request after a constant time: a template for new stores, and the measure of
 * what the rest of the road costs. */
#include "models/world/world_state.h"
#include "vdisim/store.h"

#include <stdlib.h>

struct null_store_settings {
    int64_t latency_ns;
};

struct null_store {
    struct store store;
    const struct null_store_settings *settings;
};

static void null_store_submit(struct store *store, struct request *request)
{
    const struct null_store *null_store = (const struct null_store *)store;
    request->admitted_ns = request->started_ns = request->arrived_ns;
    request->served_ns = request->started_ns + null_store->settings->latency_ns;
    request->leave(request);
}

static void null_store_destroy(struct store *store)
{
    store_release(store);
    free(store);
}

static const struct store_operations null_store_operations = {
    .submit = null_store_submit,
    .destroy = null_store_destroy,
};

static struct store *null_store_create(struct world *world, const char *name, const void *settings)
{
    struct null_store *null_store = calloc(1, sizeof *null_store);
    if (null_store == NULL)
        return NULL;
    store_init(&null_store->store, &null_store_operations, name, world->sim);
    null_store->settings = settings;
    return &null_store->store;
}

static const struct parameter null_store_rows[] = {
    {.name = "latency",
     .type = PARAMETER_DURATION,
     .offset = offsetof(struct null_store_settings, latency_ns),
     .maximum = 60e9,
     .help = "Every answer takes this long"},
};

static const struct parameter_table null_store_parameters = {
    .name = "null",
    .help = "A store without limits",
    .size = sizeof(struct null_store_settings),
    PARAMETER_ROWS(null_store_rows),
};

extern const struct store_kind null_store_kind;
const struct store_kind null_store_kind = {
    .name = "null",
    .help = "A store without limits that answers after a constant time",
    .parameters = &null_store_parameters,
    .create = null_store_create,
};
