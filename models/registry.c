/* Every kind of store and workload, by name. A new kind is one line here. */
#include "vdisim/logons.h"
#include "vdisim/null_store.h"
#include "vdisim/share.h"
#include "vdisim/world.h"

const struct store_kind *const store_kinds[] = {
    &share_kind,
    &null_store_kind,
    NULL,
};

const struct workload_kind *const workload_kinds[] = {
    &logons_kind,
    NULL,
};
