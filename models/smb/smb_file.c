#include "vdisim/smb_file.h"

#include "models/smb/lease_gate.h"
#include "models/smb/smb_client.h"
#include "models/smb/smb_file_cache.h"
#include "vdisim/time.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define CACHE(field) offsetof(struct smb_cache_settings, field)

static const char *const grants_names[] = {"none", "oplocks", "leases", NULL};

static const struct parameter smb_cache_rows[] = {
    {.name = "grants",
     .type = PARAMETER_CHOICE,
     .offset = CACHE(grants),
     .choices = grants_names,
     .help = "By what right it caches: none, SMB 1 oplocks or SMB 2.1 leases"},
    {.name = "size",
     .type = PARAMETER_SIZE,
     .offset = CACHE(size_bytes),
     .maximum = 1.126e15,
     .help = "RAM that the system cache may take for files of one store"},
    {.name = "block",
     .type = PARAMETER_SIZE,
     .offset = CACHE(block_bytes),
     .minimum = 4096,
     .maximum = 8388608,
     .help = "Unit in which data are fetched and kept"},
    {.name = "autodisconnect",
     .type = PARAMETER_DURATION,
     .offset = CACHE(autodisconnect_ns),
     .minimum = 1e9,
     .maximum = 1e16,
     .may_be_unlimited = true,
     .help = "Idle time after which the server ends the session; handles and cached data are gone"},
    {.name = "keep",
     .type = PARAMETER_DURATION,
     .offset = CACHE(keep_ns),
     .maximum = 3.6e12,
     .help = "Time for which a closed file is kept open and cached, if the right includes handles"},
};

static bool smb_cache_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct smb_cache_settings *settings = settings_of;
    if (settings->grants == SMB_CACHES_NOTHING)
        return true;
    if (settings->block_bytes % REQUEST_PAGE_BYTES != 0) {
        problem->parameter = "block";
        snprintf(problem->message, sizeof problem->message, "a block is a whole number of pages of 4 KiB");
        return false;
    }
    if (settings->size_bytes < settings->block_bytes) {
        problem->parameter = "size";
        snprintf(problem->message, sizeof problem->message,
                 "the cache cannot hold one block of %g KiB; for no cache, say grants: none",
                 (double)settings->block_bytes / 1024.0);
        return false;
    }
    return true;
}

const struct parameter_table smb_cache_parameters = {
    .name = "data_cache",
    .help = "What an SMB client keeps in RAM of files that stay open",
    .size = sizeof(struct smb_cache_settings),
    PARAMETER_ROWS(smb_cache_rows),
    .check = smb_cache_check,
};

static void session_idles(struct sim *sim, struct sim_event *event);
static void dormant_ends(struct sim *sim, struct sim_event *event);

static struct smb_file_cache *file_cache_of(struct smb_client *client)
{
    if (client->file_cache != NULL)
        return client->file_cache;
    struct smb_file_cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL)
        return NULL;
    cache->settings = &client->settings->data_cache;
    cache->client = client;
    const bool caches = cache->settings->grants != SMB_CACHES_NOTHING;
    block_cache_init(&cache->blocks, caches ? cache->settings->size_bytes : 0,
                     caches ? cache->settings->block_bytes : REQUEST_PAGE_BYTES);
    sim_event_init(&cache->idle, session_idles, SIM_EVENT_LABEL('s', 'm', 'b', 'i'));
    return client->file_cache = cache;
}

void smb_file_cache_destroy(struct smb_file_cache *cache)
{
    if (cache == NULL)
        return;
    block_cache_release(&cache->blocks);
    while (cache->slabs != NULL) {
        struct smb_fetch_slab *slab = cache->slabs;
        cache->slabs = slab->next;
        free(slab);
    }
    free(cache);
}

bool smb_file_init(struct smb_file *smb_file, struct smb_client *client, uint8_t workload,
                   struct store_file *file, int64_t size_bytes, uint32_t first_page)
{
    static const enum lease_state wanted[] = {
        [SMB_CACHES_NOTHING] = LEASE_NONE,
        [SMB_CACHES_BY_OPLOCKS] = LEASE_BATCH,
        [SMB_CACHES_BY_LEASES] = LEASE_RH, /* as for any open without write access */
    };
    struct smb_file_cache *cache = file_cache_of(client);
    if (cache == NULL)
        return false;
    *smb_file = (struct smb_file){.client = client,
                                  .file = file,
                                  .workload = workload,
                                  .size_bytes = size_bytes,
                                  .wanted = wanted[cache->settings->grants],
                                  .number = cache->file_count++,
                                  .first_page = first_page,
                                  .next = cache->files};
    sim_event_init(&smb_file->dormant_ends, dormant_ends, SIM_EVENT_LABEL('s', 'm', 'b', 'z'));
    cache->files = smb_file;
    return true;
}

bool smb_file_send(struct smb_file *file, enum operation operation, int64_t payload_in_bytes,
                   int64_t offset_bytes, void (*done)(struct request *), void *owner)
{
    struct smb_client *client = file->client;
    struct request *request = smb_request_new(client, file->workload);
    if (request == NULL) {
        sim_out_of_memory(client->sim);
        return false;
    }
    request->operation = operation;
    request->file = file->file;
    if (offset_bytes >= 0)
        request->page = file->first_page + (uint32_t)(offset_bytes / REQUEST_PAGE_BYTES);
    request->ingress_bytes = client->settings->header_bytes;
    request->egress_bytes = client->settings->header_bytes + payload_in_bytes;
    request->done = done;
    request->owner = owner;
    smb_issue(client, request);
    return true;
}

bool smb_file_caches(const struct smb_file *file)
{
    return lease_caches_reads(file->granted);
}

static void drop(struct smb_file *file)
{
    struct block_cache *blocks = &file->client->file_cache->blocks;
    if (file->client->file_cache->file_count == 1)
        block_cache_clear(blocks);
    else
        block_cache_drop_file(blocks, file->number);
    file->dropped++;
}

/* --- Opening. --- */

static void opens(struct smb_file *file);

static void opening_answered(struct request *request)
{
    struct smb_file *file = request->owner;
    smb_request_free(request->carrier, request);
    opens(file);
}

bool smb_file_is_opened_by(const struct request *request)
{
    return request->done == opening_answered && request->operation == OPERATION_CREATE;
}

static void is_open(struct smb_file *file)
{
    struct smb_file_cache *cache = file->client->file_cache;
    file->state = SMB_FILE_OPEN;
    file->opens++;
    file->granted = file->file->leases == NULL ? file->wanted
                    : file->lease.breaking     ? file->lease.breaking_to
                                               : file->lease.state;
    if (cache->settings->autodisconnect_ns != INT64_MAX && !sim_event_pending(&cache->idle))
        sim_schedule_after(file->client->sim, &cache->idle, cache->settings->autodisconnect_ns);
    struct smb_read *read = file->waiting_first;
    file->waiting_first = file->waiting_last = NULL;
    while (read != NULL) {
        struct smb_read *next = read->next;
        if (smb_read_goes_on(read))
            read->done(read);
        read = next;
    }
}

static void opens(struct smb_file *file)
{
    static const enum operation steps[] = {OPERATION_NEGOTIATE, OPERATION_SESSION_SETUP,
                                           OPERATION_SESSION_SETUP, OPERATION_TREE_CONNECT, OPERATION_CREATE};
    const int count = (int)(sizeof steps / sizeof steps[0]);
    if (file->opening_step == count) {
        is_open(file);
        return;
    }
    file->client->connected = true;
    smb_file_send(file, steps[file->opening_step++], 0, -1, opening_answered, file);
}

static void reopen(struct smb_file *file)
{
    assert(file->state == SMB_FILE_CLOSED);
    file->state = SMB_FILE_OPENING;
    file->opening_step = file->client->connected ? 4 : 0;
    opens(file);
}

bool smb_file_read(struct smb_read *read)
{
    struct smb_file *file = read->file;
    assert(read->bytes > 0 && read->offset_bytes >= 0 &&
           read->offset_bytes + read->bytes <= file->size_bytes);
    read->next_block = (uint32_t)(read->offset_bytes / file->client->file_cache->blocks.block_bytes);
    if (file->state == SMB_FILE_DORMANT) {
        sim_cancel(file->client->sim, &file->dormant_ends);
        file->state = SMB_FILE_OPEN;
    }
    if (file->state == SMB_FILE_OPEN)
        return smb_read_goes_on(read);
    read->next = NULL;
    if (file->waiting_first == NULL)
        file->waiting_first = read;
    else
        file->waiting_last->next = read;
    file->waiting_last = read;
    if (file->state == SMB_FILE_CLOSED)
        reopen(file);
    return false;
}

/* --- Closing. --- */

static void close_answered(struct request *request)
{
    smb_request_free(request->carrier, request);
}

bool smb_file_is_closed_by(const struct request *request)
{
    return request->done == close_answered && request->operation == OPERATION_CLOSE;
}

static void close_now(struct smb_file *file)
{
    file->state = SMB_FILE_CLOSED;
    file->granted = LEASE_NONE;
    drop(file);
    smb_file_send(file, OPERATION_CLOSE, 0, -1, close_answered, file);
}

static void dormant_ends(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    close_now(SIM_CONTAINER_OF(event, struct smb_file, dormant_ends));
}

void smb_file_close(struct smb_file *file)
{
    if (file->state != SMB_FILE_OPEN || file->fetching > 0)
        return;
    const int64_t keep_ns = file->client->settings->data_cache.keep_ns;
    if (!lease_caches_handles(file->granted) || keep_ns == 0) {
        close_now(file);
        return;
    }
    file->state = SMB_FILE_DORMANT;
    sim_schedule_after(file->client->sim, &file->dormant_ends, keep_ns);
}

/* The server has ended the session, and with it every open. */
static void disconnect(struct smb_file_cache *cache)
{
    cache->client->connected = false;
    for (struct smb_file *file = cache->files; file != NULL; file = file->next) {
        if (file->state != SMB_FILE_OPEN && file->state != SMB_FILE_DORMANT)
            continue;
        sim_cancel(cache->client->sim, &file->dormant_ends);
        file->state = SMB_FILE_CLOSED;
        file->granted = LEASE_NONE;
        file->disconnects++;
        drop(file);
        file->opens_at_server = 0;
        if (file->file->handles > 0)
            file->file->handles--;
        if (file->file->leases != NULL)
            lease_gate_close(file->file->leases, &file->lease);
    }
}

static void session_idles(struct sim *sim, struct sim_event *event)
{
    struct smb_file_cache *cache = SIM_CONTAINER_OF(event, struct smb_file_cache, idle);
    const struct smb_client *client = cache->client;
    const int64_t now_ns = sim_now_ns(sim);
    const bool busy = client->account.in_flight + client->account.waiting > 0;
    const int64_t due_ns = (busy ? now_ns : client->active_ns) + cache->settings->autodisconnect_ns;
    if (due_ns > now_ns)
        sim_schedule_at(sim, event, due_ns);
    else
        disconnect(cache);
}

/* --- Breaks. --- */

void smb_file_told(struct smb_file *file, enum lease_state to, bool acknowledged)
{
    if (file->state == SMB_FILE_CLOSED)
        return; /* the server will hear of it, which answers the break */
    file->breaks++;
    file->granted = to;
    if (!lease_caches_reads(to))
        drop(file);
    if (acknowledged)
        smb_file_send(file, OPERATION_OPLOCK_BREAK, 0, -1, close_answered, file);
    if (file->state == SMB_FILE_DORMANT && !lease_caches_handles(to)) {
        sim_cancel(file->client->sim, &file->dormant_ends);
        close_now(file);
    }
}

int64_t smb_file_cached_bytes(const struct smb_file *file)
{
    return block_cache_held_bytes(&file->client->file_cache->blocks);
}
