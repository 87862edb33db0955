/* Outcomes of units made up for tests, with all that is easily lost, and whether two are the same bit for bit. */
#ifndef VDISIM_TESTS_MADE_OUTCOME_H
#define VDISIM_TESTS_MADE_OUTCOME_H

#include "sim/experiment/run/unit.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that differ from each other by the seed. */
struct made_numbers {
    uint64_t state;
};

static inline uint64_t made_bits(struct made_numbers *numbers)
{
    uint64_t word = numbers->state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

/* Every fourth is one of those that are easily lost. */
static inline double made_double(struct made_numbers *numbers)
{
    static const double hard[] = {0.0,      -0.0, 1.0 / 3,   5e-324, 1.7976931348623157e308, 3.0, -2.0,
                                  INFINITY, NAN,  -INFINITY, 1e15,   9007199254740993.0,     0.1};
    uint64_t bits = made_bits(numbers);
    if (bits % 4 == 0)
        return hard[bits / 4 % (sizeof hard / sizeof hard[0])];
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline struct minute_record made_minute(struct made_numbers *numbers)
{
    struct minute_record minute = {0};
    for (int i = 0; i < RESPONSE_TYPE_COUNT; i++)
        minute.transactions[i] = made_bits(numbers);
    for (int i = 0; i < OPERATION_CLASS_COUNT; i++)
        minute.operations[i] = made_bits(numbers);
    minute.ingress_bytes = (int64_t)made_bits(numbers);
    minute.egress_bytes = (int64_t)made_bits(numbers);
    minute.server_latency_sum_ms = made_double(numbers);
    minute.server_latency_max_ms = made_double(numbers);
    minute.e2e_latency_sum_ms = made_double(numbers);
    minute.e2e_latency_max_ms = made_double(numbers);
    minute.max_used_iops = made_double(numbers);
    minute.max_used_bytes_per_s = made_double(numbers);
    minute.burst_credits_min = made_double(numbers);
    return minute;
}

static inline struct workload_minute made_workload_minute(struct made_numbers *numbers)
{
    const uint64_t transactions = made_bits(numbers);
    const int64_t ingress_bytes = (int64_t)made_bits(numbers), egress_bytes = (int64_t)made_bits(numbers);
    return (struct workload_minute){transactions, ingress_bytes, egress_bytes, (int64_t)made_bits(numbers)};
}

static inline struct logon_record made_logon(struct made_numbers *numbers)
{
    struct logon_record logon = {
        .user = (uint32_t)made_bits(numbers),
        .host = (uint32_t)made_bits(numbers),
        .finished = made_bits(numbers) % 2 == 0,
        .requests = (uint32_t)made_bits(numbers),
        .start_ns = (int64_t)made_bits(numbers),
        .load_ns = (int64_t)made_bits(numbers),
        .bytes_read = (int64_t)made_bits(numbers),
        .bytes_written = (int64_t)made_bits(numbers),
    };
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        for (int cause = 0; cause < CAUSE_COUNT; cause++) {
            uint64_t bits = made_bits(numbers);
            logon.phase_cause_ns[phase][cause] = bits % 3 == 0 ? 0 : (int64_t)(bits >> bits % 64);
        }
    logon.phase_cause_ns[1][2] = INT64_MAX;
    logon.phase_cause_ns[2][1] = INT64_MIN;
    logon.phase_cause_ns[2][2] = -1;
    return logon;
}

struct made_sizes {
    size_t metrics, parts, stores, minutes, logons, warnings;
    bool records;
};

/* To be released by unit_release(). */
static inline struct unit_outcome made_outcome(uint64_t seed, const struct made_sizes *sizes)
{
    struct made_numbers numbers = {seed};
    struct unit_outcome outcome = {
        .done = true,
        .metric_count = sizes->metrics,
        .part_count = sizes->parts,
        .store_count = sizes->stores,
        .warning_count = sizes->warnings,
        .run_effect = made_double(&numbers),
        .run_effect_cv = made_double(&numbers),
        .account = {SIM_END_EMPTY, (int64_t)made_bits(&numbers), made_bits(&numbers), made_bits(&numbers), 3,
                    4, 5, made_bits(&numbers)},
    };
    outcome.names = calloc(sizes->metrics + 1, sizeof *outcome.names);
    outcome.values = calloc(sizes->metrics + 1, sizeof *outcome.values);
    for (size_t i = 0; i < sizes->metrics; i++) {
        char name[48];
        snprintf(name, sizeof name, "metric_%zu.mean", i);
        outcome.names[i] = (struct metric_name){strdup(name), strdup(i % 3 == 0 ? "" : "MiB/s \xc2\xb5")};
        outcome.values[i] = made_double(&numbers);
    }
    if (sizes->parts > 0) {
        outcome.part_values = calloc(sizes->parts * sizes->metrics + 1, sizeof *outcome.part_values);
        for (size_t i = 0; i < sizes->parts * sizes->metrics; i++)
            outcome.part_values[i] = made_double(&numbers);
    }
    outcome.store_names = calloc(sizes->stores + 1, sizeof *outcome.store_names);
    outcome.minutes = calloc(sizes->stores + 1, sizeof *outcome.minutes);
    outcome.minute_counts = calloc(sizes->stores + 1, sizeof *outcome.minute_counts);
    outcome.workload_minutes = calloc(sizes->stores + 1, sizeof *outcome.workload_minutes);
    if (sizes->records && sizes->stores > 0 && sizes->minutes > 0)
        outcome.workload_count = seed % 3; /* in one of three none are told apart */
    for (size_t store = 0; store < sizes->stores; store++) {
        char name[32];
        snprintf(name, sizeof name, "store-%zu", store);
        outcome.store_names[store] = strdup(name);
        if (!sizes->records)
            continue;
        size_t count = sizes->minutes - (sizes->minutes > 0 ? store % 2 : 0); /* not all alike */
        outcome.minutes[store] = calloc(count + 1, sizeof *outcome.minutes[store]);
        outcome.minute_counts[store] = count;
        for (size_t i = 0; i < count; i++)
            outcome.minutes[store][i] = made_minute(&numbers);
        count *= outcome.workload_count;
        if (count > 0)
            outcome.workload_minutes[store] = calloc(count, sizeof *outcome.workload_minutes[store]);
        for (size_t i = 0; i < count; i++)
            outcome.workload_minutes[store][i] = made_workload_minute(&numbers);
    }
    if (sizes->records) {
        outcome.logons = calloc(sizes->logons + 1, sizeof *outcome.logons);
        outcome.logon_count = sizes->logons;
        for (size_t i = 0; i < sizes->logons; i++)
            outcome.logons[i] = made_logon(&numbers);
    }
    outcome.warnings = calloc(sizes->warnings + 1, sizeof *outcome.warnings);
    for (size_t i = 0; i < sizes->warnings; i++)
        outcome.warnings[i] = strdup(i % 2 == 0 ? "3 handles were refused, 'so'; \xc3\xa9" : "");
    return outcome;
}

static inline bool same_double(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static inline bool same_doubles(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!same_double(a[i], b[i]))
            return false;
    return true;
}

static inline bool same_logon(const struct logon_record *a, const struct logon_record *b)
{
    return a->user == b->user && a->host == b->host && a->finished == b->finished &&
           a->start_ns == b->start_ns && a->load_ns == b->load_ns && a->requests == b->requests &&
           a->bytes_read == b->bytes_read && a->bytes_written == b->bytes_written &&
           memcmp(a->phase_cause_ns, b->phase_cause_ns, sizeof a->phase_cause_ns) == 0;
}

static inline bool same_minute(const struct minute_record *a, const struct minute_record *b)
{
    return memcmp(a->transactions, b->transactions, sizeof a->transactions) == 0 &&
           memcmp(a->operations, b->operations, sizeof a->operations) == 0 &&
           a->ingress_bytes == b->ingress_bytes && a->egress_bytes == b->egress_bytes &&
           same_double(a->server_latency_sum_ms, b->server_latency_sum_ms) &&
           same_double(a->server_latency_max_ms, b->server_latency_max_ms) &&
           same_double(a->e2e_latency_sum_ms, b->e2e_latency_sum_ms) &&
           same_double(a->e2e_latency_max_ms, b->e2e_latency_max_ms) &&
           same_double(a->max_used_iops, b->max_used_iops) &&
           same_double(a->max_used_bytes_per_s, b->max_used_bytes_per_s) &&
           same_double(a->burst_credits_min, b->burst_credits_min);
}

static inline bool same_account(const struct sim_account *a, const struct sim_account *b)
{
    return a->end == b->end && a->now_ns == b->now_ns && a->events == b->events && a->ties == b->ties &&
           a->pending_events == b->pending_events && a->live_processes == b->live_processes &&
           a->blocked_processes == b->blocked_processes && a->fingerprint == b->fingerprint;
}

/* But for the logons and minutes. */
static inline bool same_figures(const struct unit_outcome *a, const struct unit_outcome *b)
{
    if (a->done != b->done || a->metric_count != b->metric_count || a->part_count != b->part_count ||
        a->store_count != b->store_count || a->warning_count != b->warning_count ||
        !same_double(a->run_effect, b->run_effect) || !same_double(a->run_effect_cv, b->run_effect_cv) ||
        !same_account(&a->account, &b->account) || !same_doubles(a->values, b->values, a->metric_count) ||
        !same_doubles(a->part_values, b->part_values, a->part_count * a->metric_count))
        return false;
    for (size_t i = 0; i < a->metric_count; i++)
        if (strcmp(a->names[i].name, b->names[i].name) != 0 ||
            strcmp(a->names[i].unit, b->names[i].unit) != 0)
            return false;
    for (size_t i = 0; i < a->store_count; i++)
        if (strcmp(a->store_names[i], b->store_names[i]) != 0)
            return false;
    for (size_t i = 0; i < a->warning_count; i++)
        if (strcmp(a->warnings[i], b->warnings[i]) != 0)
            return false;
    return true;
}

static inline bool same_records(const struct unit_outcome *a, const struct unit_outcome *b)
{
    if (a->logon_count != b->logon_count || (a->logons == NULL) != (b->logons == NULL))
        return false;
    for (size_t i = 0; i < a->logon_count; i++)
        if (!same_logon(&a->logons[i], &b->logons[i]))
            return false;
    for (size_t store = 0; store < a->store_count; store++) {
        if (a->minute_counts[store] != b->minute_counts[store] ||
            (a->minutes[store] == NULL) != (b->minutes[store] == NULL))
            return false;
        for (size_t i = 0; i < a->minute_counts[store]; i++)
            if (!same_minute(&a->minutes[store][i], &b->minutes[store][i]))
                return false;
        if (a->workload_count != b->workload_count)
            return false;
        for (size_t i = 0; i < a->minute_counts[store] * a->workload_count; i++) /* no padding */
            if (memcmp(&a->workload_minutes[store][i], &b->workload_minutes[store][i],
                       sizeof **a->workload_minutes) != 0)
                return false;
    }
    return true;
}

#endif
