/* The tables of kinds, made from kinds.def. */
#include "vdisim/world.h"

#define STORE_KIND(name)    extern const struct store_kind name##_kind;
#define WORKLOAD_KIND(name) extern const struct workload_kind name##_kind;
#include "models/kinds.def"
#undef STORE_KIND
#undef WORKLOAD_KIND

const struct store_kind *const store_kinds[] = {
#define STORE_KIND(name) &name##_kind,
#define WORKLOAD_KIND(name)
#include "models/kinds.def"
#undef STORE_KIND
#undef WORKLOAD_KIND
    NULL,
};

const struct workload_kind *const workload_kinds[] = {
#define STORE_KIND(name)
#define WORKLOAD_KIND(name) &name##_kind,
#include "models/kinds.def"
    NULL,
};
