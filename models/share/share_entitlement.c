#include "vdisim/share.h"

#include <math.h>
#include <stdio.h>

#define GIB 1073741824.0
#define MIB 1048576.0

/* A number as text, kept for as long as a formula is being written. */
struct words {
    char text[8][48];
    size_t count;
};

static const char *word(struct words *words, double value)
{
    return entitlement_number(value, words->text[words->count++ % 8]);
}

/* ", at most 100,000", or nothing where there is no most. */
static const char *at_most(struct words *words, double most)
{
    char number[32];
    char *text = words->text[words->count++ % 8];
    text[0] = '\0';
    if (!isinf(most))
        snprintf(text, 48, ", at most %s", entitlement_number(most, number));
    return text;
}

static double gib_of(const struct share_settings *settings)
{
    return (double)(settings->pool_bytes > 0 ? settings->pool_bytes : settings->size_bytes) / GIB;
}

static void add_baseline(const struct share_settings *settings, const struct share_limits *limits,
                         struct entitlement *entitlement)
{
    struct words w = {0};
    static const char name[] = "iops.base", label[] = "baseline";
    if (settings->paid_bursting)
        entitlement_add(entitlement, name, "most, billed beyond the baseline", "IOPS", limits->base_iops,
                        "paid bursting");
    else if (settings->provisioned_iops > 0.0)
        entitlement_add(entitlement, name, label, "IOPS", limits->base_iops, "bought");
    else if (settings->base_iops_per_gib > 0.0)
        entitlement_add(entitlement, name, label, "IOPS", limits->base_iops, "%s + %s x %s GiB%s",
                        word(&w, settings->base_iops), word(&w, settings->base_iops_per_gib),
                        word(&w, gib_of(settings)), at_most(&w, settings->base_iops_max));
    else
        entitlement_add(entitlement, name, label, "IOPS", limits->base_iops, "whatever the size");
    if (isinf(limits->base_iops) && !isinf(limits->egress_bytes_per_s))
        entitlement_add(entitlement, "iops.of_8_kib", "what the throughput makes of 8 KiB", "IOPS",
                        limits->egress_bytes_per_s / 8192.0, "%s MiB/s / 8 KiB",
                        word(&w, limits->egress_bytes_per_s / MIB));
}

static void add_burst_limit(const struct share_settings *settings, const struct share_limits *limits,
                            struct entitlement *entitlement)
{
    struct words w = {0};
    static const char name[] = "iops.burst", label[] = "burst limit";
    if (settings->burst == BURST_TWICE_BASELINE)
        entitlement_add(entitlement, name, label, "IOPS", limits->burst_iops, "3 x baseline%s",
                        at_most(&w, settings->burst_iops_max));
    else if (settings->burst_iops_per_iops > 0.0)
        entitlement_add(entitlement, name, label, "IOPS", limits->burst_iops,
                        "the larger of %s and %s x baseline%s", word(&w, settings->burst_iops_floor),
                        word(&w, settings->burst_iops_per_iops), at_most(&w, settings->burst_iops_max));
    else
        entitlement_add(entitlement, name, label, "IOPS", limits->burst_iops,
                        "the larger of %s and %s x %s GiB%s", word(&w, settings->burst_iops_floor),
                        word(&w, settings->burst_iops_per_gib), word(&w, gib_of(settings)),
                        at_most(&w, settings->burst_iops_max));
}

static void add_bursts(const struct share_settings *settings, const struct share_limits *limits,
                       struct entitlement *entitlement)
{
    struct words w = {0};
    if (settings->burst == BURST_NONE || settings->paid_bursting)
        return;
    add_burst_limit(settings, limits, entitlement);
    const char *time = word(&w, (double)settings->burst_time_ns / 1e9);
    if (settings->burst == BURST_TWICE_BASELINE)
        entitlement_add(entitlement, "credits.full", "full bucket", "credits", limits->burst_credits,
                        "2 x baseline x %s s", time);
    else
        entitlement_add(entitlement, "credits.full", "full bucket", "credits", limits->burst_credits,
                        "(burst limit - baseline) x %s s", time);
    if (limits->burst_credits <= 0.0 || limits->burst_iops <= limits->base_iops)
        return; /* nothing spends them */
    entitlement_add(entitlement, "credits.drain", "lasts at the burst limit", "s",
                    share_drain_s(limits, limits->burst_credits, INFINITY), "%s / (%s - %s)",
                    word(&w, limits->burst_credits), word(&w, limits->burst_iops),
                    word(&w, limits->base_iops));
    entitlement_add(entitlement, "credits.refill", "fills while idle", "s", share_refill_s(limits), "%s / %s",
                    word(&w, limits->burst_credits), word(&w, limits->base_iops));
}

/* "40 + 0.04 x 10,240 GiB rounded up": a fixed part and one that grows, of which either may be missing. */
static void describe_throughput(const struct share_settings *settings, double fixed, double per_gib,
                                char text[96])
{
    struct words w = {0};
    if (per_gib > 0.0)
        snprintf(text, 96, "%s%s%s x %s GiB%s", fixed > 0.0 ? word(&w, fixed / MIB) : "",
                 fixed > 0.0 ? " + " : "", word(&w, per_gib / MIB), word(&w, gib_of(settings)),
                 settings->throughput_step_bytes_per_s > 0.0 ? " rounded up" : "");
    else
        snprintf(text, 96, "%s", word(&w, fixed / MIB));
}

/* The pool has the fixed parts of both directions and each of the growing ones. */
static void add_pool(const struct share_settings *settings, double mib_per_s, const char *most,
                     struct entitlement *entitlement)
{
    static const char name[] = "throughput", label[] = "ingress and egress together";
    char ingress[96], egress[96];
    describe_throughput(settings, settings->ingress_bytes_per_s + settings->egress_bytes_per_s,
                        settings->ingress_per_gib_bytes_per_s, ingress);
    describe_throughput(settings, 0.0, settings->egress_per_gib_bytes_per_s, egress);
    if (settings->paid_bursting)
        entitlement_add(entitlement, name, label, "MiB/s", mib_per_s, "paid bursting");
    else if (settings->provisioned_bytes_per_s > 0.0)
        entitlement_add(entitlement, name, label, "MiB/s", mib_per_s, "bought");
    else if (settings->egress_per_gib_bytes_per_s <= 0.0)
        entitlement_add(entitlement, name, label, "MiB/s", mib_per_s, "%s%s", ingress, most);
    else
        entitlement_add(entitlement, name, label, "MiB/s", mib_per_s, "%s + %s%s", ingress, egress, most);
}

static void add_throughput(const struct share_settings *settings, const struct share_limits *limits,
                           struct entitlement *entitlement)
{
    struct words w = {0};
    char ingress[96] = "bought", egress[96] = "bought";
    const char *most = at_most(&w, settings->throughput_max_bytes_per_s / MIB);
    if (settings->pooled_throughput) {
        add_pool(settings, limits->egress_bytes_per_s / MIB, most, entitlement);
        return;
    }
    if (settings->provisioned_bytes_per_s <= 0.0) {
        describe_throughput(settings, settings->ingress_bytes_per_s, settings->ingress_per_gib_bytes_per_s,
                            ingress);
        describe_throughput(settings, settings->egress_bytes_per_s, settings->egress_per_gib_bytes_per_s,
                            egress);
    }
    entitlement_add(entitlement, "ingress", "ingress", "MiB/s", limits->ingress_bytes_per_s / MIB, "%s%s",
                    ingress, most);
    entitlement_add(entitlement, "egress", "egress", "MiB/s", limits->egress_bytes_per_s / MIB, "%s%s",
                    egress, most);
}

static void add_file_limits(const struct share_settings *settings, struct entitlement *entitlement)
{
    const struct service_settings *service = &settings->service;
    entitlement_add(entitlement, "iops.metadata", "opens and closes", "IOPS", share_metadata_iops(settings),
                    settings->metadata_caching ? "whatever the size, with metadata caching"
                                               : "whatever the size");
    entitlement_add(entitlement, "file.iops", "one file", "IOPS", service->file_iops, "whatever the size");
    entitlement_add(entitlement, "file.ingress", "one file, written", "MiB/s",
                    service->file_ingress_bytes_per_s / MIB, "whatever the size");
    entitlement_add(entitlement, "file.egress", "one file, read", "MiB/s",
                    service->file_egress_bytes_per_s / MIB, "whatever the size");
    entitlement_add(entitlement, "file.handles", "open handles of one file or directory", "",
                    (double)settings->handles_per_file, "one more fails");
    if (settings->handles_on_root > 0)
        entitlement_add(entitlement, "root.handles", "open handles of the topmost directory", "",
                        (double)settings->handles_on_root, "one more fails");
    entitlement_add(entitlement, "channels", "connections of one client", "", (double)settings->channels,
                    "%s", "");
}

static void add_account(const struct share_settings *settings, struct entitlement *entitlement)
{
    static const char shared[] = "of all shares that name the same account";
    if (isinf(settings->account_iops) && isinf(settings->account_ingress_bytes_per_s) &&
        isinf(settings->account_egress_bytes_per_s))
        return;
    if (isinf(settings->account_iops)) { /* no account: these are of the share itself */
        entitlement_add(entitlement, "most.ingress", "most written", "MiB/s",
                        settings->account_ingress_bytes_per_s / MIB, "whatever the size");
        entitlement_add(entitlement, "most.egress", "most read", "MiB/s",
                        settings->account_egress_bytes_per_s / MIB, "whatever the size");
        return;
    }
    entitlement_add(entitlement, "account.iops", "account", "IOPS", settings->account_iops, "%s", shared);
    const char *pooled = settings->account_pooled ? ", both directions together" : "";
    entitlement_add(entitlement, "account.ingress", "account, ingress", "MiB/s",
                    settings->account_ingress_bytes_per_s / MIB, "%s%s", shared, pooled);
    entitlement_add(entitlement, "account.egress", "account, egress", "MiB/s",
                    settings->account_egress_bytes_per_s / MIB, "%s%s", shared, pooled);
}

static void add_latency(const struct service_settings *service, struct entitlement *entitlement)
{
    static const struct {
        enum operation_class class_of;
        const char *name, *label;
    } classes[] = {{CLASS_CREATE, "latency.create", "latency of an open, idle"},
                   {CLASS_READ, "latency.read", "latency of a read, idle"},
                   {CLASS_WRITE, "latency.write", "latency of a write, idle"}};
    struct words w = {0};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        entitlement_add(entitlement, classes[i].name, classes[i].label, "ms",
                        service_mean_latency_ns(service, classes[i].class_of, 0.0) / 1e6,
                        "%s of one of %s lanes, %s beyond", word(&w, (double)service->lane_time_ns / 1e6),
                        word(&w, (double)service->lanes),
                        word(&w, (double)service->latency_ns[classes[i].class_of] / 1e6));
}

void share_entitlement(const void *settings_of, struct entitlement *entitlement)
{
    const struct share_settings *settings = settings_of;
    const struct share_limits limits = share_limits(settings);
    add_baseline(settings, &limits, entitlement);
    add_bursts(settings, &limits, entitlement);
    add_throughput(settings, &limits, entitlement);
    add_file_limits(settings, entitlement);
    add_account(settings, entitlement);
    add_latency(&settings->service, entitlement);
}
