/* What is reported of boots, from one record a boot. */
#ifndef VDISIM_MODELS_BOOTS_REPORT_H
#define VDISIM_MODELS_BOOTS_REPORT_H

#include "vdisim/outcome.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

/* Where the time of a boot goes. */
enum boot_part {
    BOOT_TARGET,      /* the target works between two reads */
    BOOT_STREAM_LINE, /* all slots of the server are taken */
    BOOT_STORE,       /* the server waits for data that are not in its cache */
    BOOT_STREAM,      /* the server's card, the network, the target's card */
    BOOT_PART_COUNT
};

/* One boot. part_ns adds up to end_ns - start_ns exactly once it has finished. */
struct boot_record {
    int64_t start_ns, end_ns;
    bool finished; /* false: the run ended first, or the target was stopped while it booted */
    int64_t part_ns[BOOT_PART_COUNT];
    uint32_t reads, missed; /* missed: not all in the server's cache */
    int64_t read_bytes;
};

/* Of the boots of a span, in the order of their start. */
void boot_records_report(const struct boot_record *records, size_t count, struct metric_sink *sink);

/* Bytes that a store has sent, whoever asked, in its minutes that begin in the span: in the first three minutes of the
 * run, after them, and together. */
void bytes_sent_report(struct store *store, int64_t from_ns, int64_t to_ns, struct metric_sink *sink);

#endif
