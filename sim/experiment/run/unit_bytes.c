/* One walk over an outcome serves both directions, so that what is written and what is read cannot differ.
 *
 * All is little endian: counts, integers and the bits of doubles in 8 bytes, a text as its length and its bytes, a list
 * that may be missing behind one byte that says whether it is there. In front: a mark, the version, the whole length.
 */
#include "sim/experiment/run/unit_bytes.h"

#include "sim/experiment/run/little_endian.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one long run; more is no outcome of ours. */
enum { PARTS_MOST = 1 << 20 };

static const char mark[4] = {'V', 'D', 'U', 'N'};

/* The first complaint ends the walk: whatever follows does nothing. */
struct coder {
    bool writes;
    struct unit_bytes *out;
    const unsigned char *in;
    size_t left; /* of `in` */
    const char *complaint;
};

static void complain(struct coder *coder, const char *complaint)
{
    if (coder->complaint == NULL)
        coder->complaint = complaint;
}

static unsigned char *room(struct coder *coder, size_t size)
{
    if (coder->complaint != NULL)
        return NULL;
    if (!unit_bytes_reserve(coder->out, size)) {
        complain(coder, "out of memory");
        return NULL;
    }
    coder->out->size += size;
    return coder->out->data + coder->out->size - size;
}

static const unsigned char *take(struct coder *coder, size_t size)
{
    if (coder->complaint != NULL)
        return NULL;
    if (size > coder->left) {
        complain(coder, "it is cut short");
        return NULL;
    }
    coder->in += size;
    coder->left -= size;
    return coder->in - size;
}

static void code_u64(struct coder *coder, uint64_t *value)
{
    if (coder->writes) {
        unsigned char *bytes = room(coder, 8);
        if (bytes != NULL)
            little_endian_put(bytes, *value);
    } else {
        const unsigned char *bytes = take(coder, 8);
        *value = bytes != NULL ? little_endian_get(bytes) : 0;
    }
}

static void code_i64(struct coder *coder, int64_t *value)
{
    uint64_t bits = (uint64_t)*value;
    code_u64(coder, &bits);
    *value = (int64_t)bits;
}

static void code_u32(struct coder *coder, uint32_t *value)
{
    uint64_t wide = *value;
    code_u64(coder, &wide);
    if (wide > UINT32_MAX)
        complain(coder, "a number is too large");
    *value = (uint32_t)wide;
}

static void code_size(struct coder *coder, size_t *value)
{
    uint64_t wide = *value;
    code_u64(coder, &wide);
    if (wide > SIZE_MAX)
        complain(coder, "a number is too large");
    *value = (size_t)wide;
}

static void code_double(struct coder *coder, double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    code_u64(coder, &bits);
    memcpy(value, &bits, sizeof bits);
}

static void code_bool(struct coder *coder, bool *value)
{
    if (coder->writes) {
        unsigned char *byte = room(coder, 1);
        if (byte != NULL)
            *byte = *value ? 1 : 0;
        return;
    }
    const unsigned char *byte = take(coder, 1);
    *value = byte != NULL && *byte == 1;
    if (byte != NULL && *byte > 1)
        complain(coder, "a mark is neither yes nor no");
}

/* Of things that take at least so many bytes each; so no count can ask for more memory than the bytes warrant. */
static void code_count(struct coder *coder, size_t *count, size_t least_bytes)
{
    code_size(coder, count);
    if (!coder->writes && *count > coder->left / least_bytes)
        complain(coder, "a count is larger than what follows");
    if (coder->complaint != NULL && !coder->writes)
        *count = 0;
}

/* Reading, makes a zeroed list; whoever reads sets the count in the outcome only after. False: nothing to walk over. */
static bool make_list(struct coder *coder, void *list, size_t count, size_t size)
{
    if (!coder->writes && coder->complaint == NULL) {
        void *made = calloc(count + 1, size);
        if (made == NULL)
            complain(coder, "out of memory");
        memcpy(list, &made, sizeof made);
    }
    return coder->complaint == NULL;
}

/* Whether a list is there; reading, makes it. */
static bool code_list(struct coder *coder, void *list, size_t *count, size_t size, size_t least_bytes)
{
    void *there;
    memcpy(&there, list, sizeof there);
    bool is_there = there != NULL;
    code_bool(coder, &is_there);
    size_t counted = is_there ? *count : 0;
    if (is_there)
        code_count(coder, &counted, least_bytes);
    if (!is_there || !make_list(coder, list, counted, size))
        counted = 0;
    *count = counted;
    return counted > 0;
}

static void code_text(struct coder *coder, char **text)
{
    size_t length = coder->writes ? strlen(*text) : 0;
    code_count(coder, &length, 1);
    if (coder->writes) {
        unsigned char *bytes = room(coder, length);
        if (bytes != NULL)
            memcpy(bytes, *text, length);
        return;
    }
    const unsigned char *bytes = take(coder, length);
    if (bytes == NULL)
        return;
    if (memchr(bytes, '\0', length) != NULL) {
        complain(coder, "a text has a zero in it");
        return;
    }
    *text = malloc(length + 1);
    if (*text == NULL) {
        complain(coder, "out of memory");
        return;
    }
    memcpy(*text, bytes, length);
    (*text)[length] = '\0';
}

static void code_metrics(struct coder *coder, struct unit_outcome *outcome)
{
    size_t count = outcome->metric_count;
    code_count(coder, &count, 3 * 8);
    if (!make_list(coder, &outcome->names, count, sizeof *outcome->names) ||
        !make_list(coder, &outcome->values, count, sizeof *outcome->values))
        count = 0;
    outcome->metric_count = count;
    for (size_t i = 0; i < count; i++) {
        code_text(coder, &outcome->names[i].name);
        code_text(coder, &outcome->names[i].unit);
        code_double(coder, &outcome->values[i]);
    }
}

static void code_parts(struct coder *coder, struct unit_outcome *outcome)
{
    size_t values = outcome->part_count * outcome->metric_count;
    code_size(coder, &outcome->part_count);
    if (outcome->part_count > PARTS_MOST)
        complain(coder, "there are too many parts");
    bool any = code_list(coder, &outcome->part_values, &values, sizeof *outcome->part_values, 8);
    if (outcome->part_values != NULL && coder->complaint == NULL &&
        values != outcome->part_count * outcome->metric_count)
        complain(coder, "the parts' values are not one for each metric");
    for (size_t i = 0; any && i < values; i++)
        code_double(coder, &outcome->part_values[i]);
}

static void code_account(struct coder *coder, struct sim_account *account)
{
    uint32_t end = (uint32_t)account->end;
    code_u32(coder, &end);
    if (end > SIM_END_MEMORY)
        complain(coder, "a run has ended in an unknown way");
    account->end = (enum sim_end)end;
    code_i64(coder, &account->now_ns);
    code_u64(coder, &account->events);
    code_u64(coder, &account->ties);
    code_size(coder, &account->pending_events);
    code_size(coder, &account->live_processes);
    code_size(coder, &account->blocked_processes);
    code_u64(coder, &account->fingerprint);
}

static void code_logon(struct coder *coder, struct logon_record *logon)
{
    code_u32(coder, &logon->user);
    code_u32(coder, &logon->host);
    code_bool(coder, &logon->finished);
    code_i64(coder, &logon->start_ns);
    code_i64(coder, &logon->load_ns);
    code_u32(coder, &logon->requests);
    code_i64(coder, &logon->bytes_read);
    code_i64(coder, &logon->bytes_written);
    for (size_t phase = 0; phase < PHASE_COUNT; phase++)
        for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
            code_i64(coder, &logon->phase_cause_ns[phase][cause]);
}

static void code_minute(struct coder *coder, struct minute_record *minute)
{
    for (size_t i = 0; i < RESPONSE_TYPE_COUNT; i++)
        code_u64(coder, &minute->transactions[i]);
    for (size_t i = 0; i < OPERATION_CLASS_COUNT; i++)
        code_u64(coder, &minute->operations[i]);
    code_i64(coder, &minute->ingress_bytes);
    code_i64(coder, &minute->egress_bytes);
    code_double(coder, &minute->server_latency_sum_ms);
    code_double(coder, &minute->server_latency_max_ms);
    code_double(coder, &minute->e2e_latency_sum_ms);
    code_double(coder, &minute->e2e_latency_max_ms);
    code_double(coder, &minute->max_used_iops);
    code_double(coder, &minute->max_used_bytes_per_s);
    code_double(coder, &minute->burst_credits_min);
}

static void code_workload_minute(struct coder *coder, struct workload_minute *part)
{
    code_u64(coder, &part->transactions);
    code_i64(coder, &part->ingress_bytes);
    code_i64(coder, &part->egress_bytes);
    code_i64(coder, &part->e2e_ns);
}

enum {
    LOGON_BYTES = (7 + PHASE_COUNT * CAUSE_COUNT) * 8 + 1,
    MINUTE_BYTES = (RESPONSE_TYPE_COUNT + OPERATION_CLASS_COUNT + 9) * 8,
    WORKLOAD_MINUTE_BYTES = 4 * 8,
};

static void code_workload_minutes(struct coder *coder, struct unit_outcome *outcome, size_t store)
{
    size_t count = outcome->minute_counts[store] * outcome->workload_count;
    const size_t wanted = count;
    struct workload_minute *none = NULL;
    struct workload_minute **list =
        outcome->workload_minutes != NULL ? &outcome->workload_minutes[store] : &none;
    bool any = code_list(coder, list, &count, sizeof **list, WORKLOAD_MINUTE_BYTES);
    if (*list != NULL && coder->complaint == NULL && count != wanted)
        complain(coder, "the workloads' minutes are not one for each minute");
    for (size_t i = 0; any && i < count; i++)
        code_workload_minute(coder, &(*list)[i]);
}

static void code_stores(struct coder *coder, struct unit_outcome *outcome)
{
    size_t count = outcome->store_count;
    code_count(coder, &count, 8 + 1);
    if (!make_list(coder, &outcome->store_names, count, sizeof *outcome->store_names) ||
        !make_list(coder, &outcome->minutes, count, sizeof *outcome->minutes) ||
        !make_list(coder, &outcome->minute_counts, count, sizeof *outcome->minute_counts) ||
        !make_list(coder, &outcome->workload_minutes, count, sizeof *outcome->workload_minutes))
        count = 0;
    outcome->store_count = count;
    code_size(coder, &outcome->workload_count);
    if (outcome->workload_count > WORKLOADS_TOLD_APART)
        complain(coder, "there are too many workloads");
    for (size_t store = 0; store < count; store++) {
        code_text(coder, &outcome->store_names[store]);
        code_list(coder, &outcome->minutes[store], &outcome->minute_counts[store], sizeof **outcome->minutes,
                  MINUTE_BYTES);
        for (size_t i = 0; i < outcome->minute_counts[store]; i++)
            code_minute(coder, &outcome->minutes[store][i]);
        code_workload_minutes(coder, outcome, store);
    }
}

static void code_outcome(struct coder *coder, struct unit_outcome *outcome)
{
    code_metrics(coder, outcome);
    code_parts(coder, outcome);
    code_double(coder, &outcome->run_effect);
    code_double(coder, &outcome->run_effect_cv);
    code_account(coder, &outcome->account);
    code_list(coder, &outcome->logons, &outcome->logon_count, sizeof *outcome->logons, LOGON_BYTES);
    for (size_t i = 0; i < outcome->logon_count; i++)
        code_logon(coder, &outcome->logons[i]);
    code_stores(coder, outcome);
    size_t warnings = outcome->warning_count;
    code_count(coder, &warnings, 8);
    if (!make_list(coder, &outcome->warnings, warnings, sizeof *outcome->warnings))
        warnings = 0;
    outcome->warning_count = warnings;
    for (size_t i = 0; i < warnings; i++)
        code_text(coder, &outcome->warnings[i]);
}

void unit_bytes_release(struct unit_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct unit_bytes){0};
}

bool unit_bytes_reserve(struct unit_bytes *bytes, size_t size)
{
    if (size <= bytes->capacity - bytes->size)
        return true;
    size_t capacity = 2 * bytes->capacity + size + 1024;
    unsigned char *data = realloc(bytes->data, capacity);
    if (data == NULL)
        return false;
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

bool unit_bytes_append(struct unit_bytes *bytes, const void *data, size_t size)
{
    if (!unit_bytes_reserve(bytes, size))
        return false;
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

bool unit_encode(const struct unit_outcome *outcome, struct unit_bytes *bytes)
{
    assert(outcome->done);
    size_t before = bytes->size;
    struct coder coder = {.writes = true, .out = bytes};
    struct unit_outcome walked = *outcome; /* what its lists hold is written back as it is */
    uint64_t version = UNIT_BYTES_VERSION, length = 0;
    unsigned char *front = room(&coder, sizeof mark);
    if (front != NULL)
        memcpy(front, mark, sizeof mark);
    code_u64(&coder, &version);
    code_u64(&coder, &length);
    code_outcome(&coder, &walked);
    if (coder.complaint != NULL) {
        bytes->size = before;
        return false;
    }
    little_endian_put(bytes->data + before + sizeof mark + 8, bytes->size - before);
    return true;
}

bool unit_decode(const unsigned char *data, size_t size, struct unit_outcome *outcome,
                 char message[UNIT_MESSAGE_SIZE])
{
    *outcome = (struct unit_outcome){0};
    struct coder coder = {.in = data, .left = size};
    uint64_t version, length;
    const unsigned char *front = take(&coder, sizeof mark);
    if (front == NULL || memcmp(front, mark, sizeof mark) != 0) {
        snprintf(message, UNIT_MESSAGE_SIZE, "these bytes are not the outcome of a unit");
        return false;
    }
    code_u64(&coder, &version);
    if (coder.complaint == NULL && version != UNIT_BYTES_VERSION) {
        snprintf(message, UNIT_MESSAGE_SIZE, "the outcome of a unit has format %llu, this program reads %d",
                 (unsigned long long)version, UNIT_BYTES_VERSION);
        return false;
    }
    code_u64(&coder, &length);
    if (length < size)
        complain(&coder, "something follows it");
    else if (length > size)
        complain(&coder, "it is cut short");
    code_outcome(&coder, outcome);
    if (coder.left > 0)
        complain(&coder, "something follows it");
    if (coder.complaint != NULL) {
        snprintf(message, UNIT_MESSAGE_SIZE, "the outcome of a unit cannot be read: %s", coder.complaint);
        unit_release(outcome);
        return false;
    }
    outcome->done = true;
    return true;
}
