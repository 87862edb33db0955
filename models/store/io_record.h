/* The I/O of a workload by the time at which it was answered: counts, bytes, latencies, in intervals of a second (longer
 * in long runs), so that it can be reported of any span. */
#ifndef VDISIM_MODELS_IO_RECORD_H
#define VDISIM_MODELS_IO_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IO_RECORD_SPLIT   16 /* buckets a doubling of the latency: quantiles to 3 % */
#define IO_RECORD_BUCKETS (IO_RECORD_SPLIT * 26)

struct io_interval {
    uint64_t reads, writes;
    int64_t read_bytes, written_bytes;
    double latency_sum_ns, latency_max_ns;
    int64_t processor_ns;
    uint32_t latencies[IO_RECORD_BUCKETS]; /* from 1 us on */
};

struct io_record {
    int64_t interval_ns;
    struct io_interval *intervals;
    size_t count, capacity;
};

/* For a run of that length. */
void io_record_init(struct io_record *record, int64_t run_length_ns);
void io_record_release(struct io_record *record);

/* The interval of a time; NULL when memory is short. Valid until the next call. */
struct io_interval *io_record_at(struct io_record *record, int64_t at_ns);

/* Adds one that has been answered; false when memory is short. */
bool io_record_add(struct io_record *record, int64_t answered_ns, int64_t latency_ns, bool writes,
                   int64_t bytes);

/* All intervals that begin at from_ns or later and before to_ns, and how much of them there was between began_ns and
 * ended_ns. */
struct io_sum {
    struct io_interval all;
    double seconds;
};
void io_record_sum(const struct io_record *record, int64_t from_ns, int64_t to_ns, int64_t began_ns,
                   int64_t ended_ns, struct io_sum *sum);

/* The latency that a share p of the sum does not exceed; NaN when it is empty. In ns. */
double io_sum_quantile_ns(const struct io_sum *sum, double p);

#endif
