#include "sim/experiment/archive/archive_check.h"

#include "sim/experiment/archive/archive_phases.h"

#include <math.h>
#include <string.h>

/* The mixing of a 64-bit word into a hash is that of MurmurHash3's finalizer (Appleby 2011, public domain). */
static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash ^= word;
    hash *= UINT64_C(0xff51afd7ed558ccd);
    hash ^= hash >> 33;
    hash *= UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ hash >> 33;
}

static uint64_t mixed_double(uint64_t hash, double value)
{
    uint64_t word = UINT64_C(0x7ff8000000000000);
    if (!isnan(value))
        memcpy(&word, &value, sizeof word);
    return mixed(hash, word);
}

static uint64_t mixed_text(uint64_t hash, const char *text)
{
    size_t length = strlen(text);
    hash = mixed(hash, length);
    for (size_t at = 0; at < length; at++)
        hash = mixed(hash, (unsigned char)text[at]);
    return hash;
}

static uint64_t mixed_account(uint64_t hash, const struct sim_account *account)
{
    hash = mixed(hash, (uint64_t)account->end);
    hash = mixed(hash, (uint64_t)account->now_ns);
    hash = mixed(hash, account->events);
    hash = mixed(hash, account->ties);
    hash = mixed(hash, account->pending_events);
    hash = mixed(hash, account->live_processes);
    hash = mixed(hash, account->blocked_processes);
    return mixed(hash, account->fingerprint);
}

uint64_t archive_check_figures(struct unit unit, const struct unit_outcome *outcome)
{
    uint64_t hash = mixed(mixed(mixed(1, unit.cell), unit.replication), outcome->metric_count);
    for (size_t i = 0; i < outcome->metric_count; i++) {
        hash = mixed_text(hash, outcome->names[i].name);
        hash = mixed_text(hash, outcome->names[i].unit);
        hash = mixed_double(hash, outcome->values[i]);
    }
    hash = mixed(hash, outcome->part_count);
    for (size_t i = 0; i < outcome->part_count * outcome->metric_count; i++)
        hash = mixed_double(hash, outcome->part_values[i]);
    hash = mixed_double(hash, outcome->run_effect);
    hash = mixed_double(hash, outcome->run_effect_cv);
    hash = mixed_account(hash, &outcome->account);
    hash = mixed(hash, outcome->store_count);
    for (size_t i = 0; i < outcome->store_count; i++)
        hash = mixed_text(hash, outcome->store_names[i]);
    hash = mixed(hash, outcome->warning_count);
    for (size_t i = 0; i < outcome->warning_count; i++)
        hash = mixed_text(hash, outcome->warnings[i]);
    return hash;
}

static uint64_t mixed_logon(uint64_t hash, const struct logon_record *logon)
{
    hash = mixed(hash, (uint64_t)logon->user << 32 | logon->host);
    hash = mixed(hash, (uint64_t)logon->requests << 1 | logon->finished);
    hash = mixed(hash, (uint64_t)logon->start_ns);
    hash = mixed(hash, (uint64_t)logon->load_ns);
    hash = mixed(hash, (uint64_t)logon->bytes_read);
    hash = mixed(hash, (uint64_t)logon->bytes_written);
    for (int phase = 0; phase < ARCHIVE_FIRST_PHASES; phase++)
        for (int cause = 0; cause < ARCHIVE_FIRST_CAUSES; cause++)
            hash = mixed(hash, (uint64_t)logon->phase_cause_ns[phase][cause]);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        for (int cause = 0; cause < CAUSE_COUNT; cause++) {
            const int64_t ns = logon->phase_cause_ns[phase][cause];
            if (ns != 0 && !archive_phase_is_first(phase, cause))
                hash = mixed(mixed(hash, (uint64_t)phase << 8 | (uint64_t)cause), (uint64_t)ns);
        }
    return hash;
}

static uint64_t mixed_minute(uint64_t hash, const struct minute_record *minute)
{
    for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
        hash = mixed(hash, minute->transactions[type]);
    for (int class = 0; class < OPERATION_CLASS_COUNT; class ++)
        hash = mixed(hash, minute->operations[class]);
    hash = mixed(hash, (uint64_t)minute->ingress_bytes);
    hash = mixed(hash, (uint64_t)minute->egress_bytes);
    hash = mixed_double(hash, minute->server_latency_sum_ms);
    hash = mixed_double(hash, minute->server_latency_max_ms);
    hash = mixed_double(hash, minute->e2e_latency_sum_ms);
    hash = mixed_double(hash, minute->e2e_latency_max_ms);
    hash = mixed_double(hash, minute->max_used_iops);
    hash = mixed_double(hash, minute->max_used_bytes_per_s);
    return mixed_double(hash, minute->burst_credits_min);
}

static uint64_t mixed_workload_minute(uint64_t hash, const struct workload_minute *part)
{
    hash = mixed(hash, part->transactions);
    hash = mixed(hash, (uint64_t)part->ingress_bytes);
    hash = mixed(hash, (uint64_t)part->egress_bytes);
    return mixed(hash, (uint64_t)part->e2e_ns);
}

uint64_t archive_check_records(const struct unit_outcome *outcome)
{
    uint64_t hash = mixed(2, outcome->logon_count);
    for (size_t i = 0; i < outcome->logon_count; i++)
        hash = mixed_logon(hash, &outcome->logons[i]);
    for (size_t store = 0; outcome->minutes != NULL && store < outcome->store_count; store++) {
        hash = mixed(hash, outcome->minute_counts[store]);
        for (size_t i = 0; i < outcome->minute_counts[store]; i++)
            hash = mixed_minute(hash, &outcome->minutes[store][i]);
        for (size_t i = 0; i < outcome->minute_counts[store] * outcome->workload_count; i++)
            hash = mixed_workload_minute(hash, &outcome->workload_minutes[store][i]);
    }
    return hash;
}
