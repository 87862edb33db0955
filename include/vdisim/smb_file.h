/* A file that an SMB client keeps open and caches in RAM, as Windows' redirector and cache manager do.
 *
 * The first read opens it (and the session, when there is none): CREATE with the wish for an oplock or a lease. As long as
 * what was granted allows to cache reads, data are fetched in whole blocks, kept in the client's RAM (one LRU for all files
 * of the client, at most `size`), and read from there. A block that is being fetched is fetched once, whoever waits for
 * it. Without such a right every read is a READ of just its bytes. The right ends, and the blocks are dropped,
 * - when another client's open, read or write breaks it (lease.h); what must be acknowledged, is;
 * - when the file is closed; with a right to cache handles, `keep` after that;
 * - when nothing was sent or received for `autodisconnect`: the session ends and with it all handles.
 *
 *     struct smb_read read = {.file = &file, .offset_bytes = 0, .bytes = 32768, .done = data_are_there, .owner = me};
 *     if (smb_file_read(&read))
 *         data_are_there(&read);          it was in the cache; else done() is called later
 *
 * All requests take the road of request.h. Left out: writing through the cache (a client that holds W writes nothing
 * here), and read-ahead beyond the block.
 */
#ifndef VDISIM_SMB_FILE_H
#define VDISIM_SMB_FILE_H

#include "vdisim/event.h"
#include "vdisim/lease.h"
#include "vdisim/parameter.h"

#include <stdbool.h>
#include <stdint.h>

struct request;
struct smb_client;
struct smb_fetch;
struct store_file;

enum smb_caching {
    SMB_CACHES_NOTHING,    /* neither is asked for: EnableOplocks 0, Smb2 0 */
    SMB_CACHES_BY_OPLOCKS, /* SMB 1: a batch oplock */
    SMB_CACHES_BY_LEASES,  /* SMB 2.1 and later: a lease RH */
};

struct smb_cache_settings {
    int grants; /* enum smb_caching */
    int64_t size_bytes, block_bytes;
    int64_t autodisconnect_ns; /* INT64_MAX: never */
    int64_t keep_ns;
};

extern const struct parameter_table smb_cache_parameters;

enum smb_file_state {
    SMB_FILE_CLOSED,
    SMB_FILE_OPENING,
    SMB_FILE_OPEN,
    SMB_FILE_DORMANT, /* closed by its user, kept open by the client for a while */
};

struct smb_file {
    struct smb_client *client; /* read-only, and so are those below */
    struct store_file *file;
    uint8_t workload; /* whose requests it sends */
    int64_t size_bytes;
    enum lease_state granted; /* as the client knows it */
    enum smb_file_state state;
    uint64_t opens, disconnects, breaks;

    /* Private. */
    struct lease_holder lease; /* as the server knows it */
    uint32_t opens_at_server;  /* a CLOSE may be answered after the next CREATE */
    enum lease_state wanted;
    uint32_t number;  /* in the client's cache */
    uint64_t dropped; /* how often what was cached was dropped */
    int opening_step;
    uint32_t first_page;
    struct smb_read *waiting_first, *waiting_last; /* for the open */
    uint64_t fetching;
    struct sim_event dormant_ends;
    struct smb_file *next;
};

struct smb_read {
    struct smb_file *file;
    int64_t offset_bytes, bytes; /* bytes > 0, within the file */
    void (*done)(struct smb_read *read);
    void *owner;

    /* Private. */
    uint32_t next_block;
    struct smb_read *next;
};

/* Prepares a closed file. `file` is the server's record, which all clients share and which outlives the client, as
 * *smb_file must; its leases may be NULL: then whatever is asked for is granted for good. `first_page` is where the file
 * begins on a block store. False when memory is short. */
bool smb_file_init(struct smb_file *smb_file, struct smb_client *client, uint8_t workload,
                   struct store_file *file, int64_t size_bytes, uint32_t first_page);

/* Reads. True: it was all in the cache and done() is not called. One read is used once at a time. */
bool smb_file_read(struct smb_read *read);

/* Closes the file when no read is on its way; a closed one stays closed. The next read opens it again. */
void smb_file_close(struct smb_file *smb_file);

/* What the client holds in RAM of all its files. */
int64_t smb_file_cached_bytes(const struct smb_file *smb_file);

#endif
