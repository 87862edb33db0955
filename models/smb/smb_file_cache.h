/* What an SMB client keeps of all its open files: the blocks in RAM, the fetches under way, the time of its last
 * request. Shared by smb_file.c (open, close, breaks) and smb_fetch.c (data). */
#ifndef VDISIM_MODELS_SMB_FILE_CACHE_H
#define VDISIM_MODELS_SMB_FILE_CACHE_H

#include "vdisim/block_cache.h"
#include "vdisim/request.h"
#include "vdisim/smb_file.h"

#define SMB_FETCH_LISTS 256

struct smb_fetch {
    struct smb_file *file;
    uint32_t block; /* SMB_NO_BLOCK: of just the bytes of one read */
    uint32_t requests_left;
    uint64_t dropped;         /* as the file's was when it began */
    struct smb_read *waiting; /* the first come first */
    struct smb_read *waiting_last;
    struct smb_fetch *next; /* of its list, or free */
};

#define SMB_NO_BLOCK UINT32_MAX

struct smb_fetch_slab {
    struct smb_fetch_slab *next;
    struct smb_fetch fetches[32];
};

struct smb_file_cache {
    const struct smb_cache_settings *settings;
    struct smb_client *client;
    struct block_cache blocks;
    struct smb_file *files;
    uint32_t file_count;
    struct smb_fetch *under_way[SMB_FETCH_LISTS];
    struct smb_fetch *free_fetches;
    struct smb_fetch_slab *slabs;
    struct sim_event idle; /* pending while a file is open and the session may end */
};

void smb_file_cache_destroy(struct smb_file_cache *cache);

/* Sends one request of a file; `offset_bytes` < 0: not at a place. False when memory is short. */
bool smb_file_send(struct smb_file *file, enum operation operation, int64_t payload_in_bytes,
                   int64_t offset_bytes, void (*done)(struct request *), void *owner);

/* Whether reads of an open file may be answered from the cache. */
bool smb_file_caches(const struct smb_file *file);

/* Goes on with a read of an open file: true when all its data are there, false when it waits for a fetch. */
bool smb_read_goes_on(struct smb_read *read);

/* The server has told the client of a break. */
void smb_file_told(struct smb_file *file, enum lease_state to, bool acknowledged);

/* Whether a request is the CREATE, or the CLOSE, of a struct smb_file, its owner. */
bool smb_file_is_opened_by(const struct request *request);
bool smb_file_is_closed_by(const struct request *request);

#endif
