/* The inside of the SMB client, shared by smb_client.c (the connection) and smb_calls.c (what processes
 * call). */
#ifndef VDISIM_MODELS_SMB_CLIENT_H
#define VDISIM_MODELS_SMB_CLIENT_H

#include "vdisim/host.h"
#include "vdisim/smb.h"
#include "vdisim/store.h"

/* Requests are handed out from slabs and used again last in, first out. */
#define SMB_SLAB_REQUESTS 32

struct smb_slab {
    _Alignas(64) struct smb_slab *next;
    _Alignas(64) struct request requests[SMB_SLAB_REQUESTS];
};

struct smb_client {
    struct host *host;
    struct store *store;
    struct sim *sim;
    const struct smb_settings *settings;
    bool connected;

    int64_t credits_used;
    struct request *waiting_first, *waiting_last; /* for credits */
    int64_t processor_free_ns;                    /* the core that this connection is bound to */
    double receive_ns_per_byte, send_ns_per_byte;

    struct name_cache file_info, directory, not_found;
    struct smb_account account;
    struct smb_slab *slabs;
    struct request *free_requests;
};

/* A request from the pool, NULL when memory is short. */
struct request *smb_request_new(struct smb_client *client);

/* Sends a request whose operation, file, bytes, done and owner are set. */
void smb_issue(struct smb_client *client, struct request *request);

#endif
