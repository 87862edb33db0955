#include "vdisim/outcome.h"

#include "vdisim/request.h"

#include <assert.h>

const char *logon_phase_name(enum logon_phase phase)
{
    static const char *const names[PHASE_COUNT] = {"connect", "registry", "enumerate", "files",
                                                   "pending", "links",    "attach",    "mount"};
    assert(phase < PHASE_COUNT);
    return names[phase];
}

const char *wait_cause_name(enum wait_cause cause)
{
    static const char *const names[CAUSE_COUNT] = {
        "client",       "local disk",     "window",        "network",      "iops limit",     "ingress limit",
        "egress limit", "metadata limit", "account limit", "server queue", "server latency", "lock retries"};
    assert(cause < CAUSE_COUNT);
    return names[cause];
}

const char *response_type_name(enum response_type type)
{
    static const char *const names[RESPONSE_TYPE_COUNT] = {"Success",
                                                           "SuccessWithShareIopsThrottling",
                                                           "SuccessWithShareEgressThrottling",
                                                           "SuccessWithShareIngressThrottling",
                                                           "SuccessWithMetadataThrottling",
                                                           "SuccessWithThrottling",
                                                           "ClientOtherError"};
    assert(type < RESPONSE_TYPE_COUNT);
    return names[type];
}

const char *operation_class_name(enum operation_class class_of)
{
    static const char *const names[OPERATION_CLASS_COUNT] = {"create", "query", "read",
                                                             "write",  "close", "other"};
    assert(class_of < OPERATION_CLASS_COUNT);
    return names[class_of];
}

struct operation_row {
    const char *name;
    enum operation_class class_of;
    bool metadata;
};

static const struct operation_row operations[OPERATION_COUNT] = {
    [OPERATION_NEGOTIATE] = {"Negotiate", CLASS_OTHER, false},
    [OPERATION_SESSION_SETUP] = {"SessionSetup", CLASS_OTHER, false},
    [OPERATION_TREE_CONNECT] = {"TreeConnect", CLASS_OTHER, false},
    [OPERATION_LOGOFF] = {"Logoff", CLASS_OTHER, false},
    [OPERATION_CREATE] = {"Create", CLASS_CREATE, true},
    [OPERATION_CLOSE] = {"Close", CLASS_CLOSE, true},
    [OPERATION_QUERY_INFO] = {"QueryInfo", CLASS_QUERY, false},
    [OPERATION_QUERY_DIRECTORY] = {"QueryDirectory", CLASS_QUERY, false},
    [OPERATION_SET_INFO] = {"SetInfo", CLASS_QUERY, false},
    [OPERATION_READ] = {"Read", CLASS_READ, false},
    [OPERATION_WRITE] = {"Write", CLASS_WRITE, false},
    [OPERATION_OPLOCK_BREAK] = {"OplockBreak", CLASS_OTHER, false},
};

const char *operation_name(enum operation operation)
{
    assert(operation < OPERATION_COUNT);
    return operations[operation].name;
}

enum operation_class operation_class(enum operation operation)
{
    assert(operation < OPERATION_COUNT);
    return operations[operation].class_of;
}

bool operation_is_metadata(enum operation operation)
{
    assert(operation < OPERATION_COUNT);
    return operations[operation].metadata;
}
