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

#define SMB_CHANNELS_MAX 4

/* A connection to the server. */
struct smb_channel {
    int64_t credits_used;
    struct request *waiting_first, *waiting_last; /* for credits */
    int64_t processor_free_ns;                    /* the core that it is bound to */
};

struct smb_client {
    struct host *host;
    struct store *store;
    struct sim *sim;
    const struct smb_settings *settings;
    bool connected;

    struct smb_channel channels[SMB_CHANNELS_MAX];
    uint8_t channel_count;
    struct wire all_channels; /* what they move together, both ways, reckoned when the answer comes */
    int64_t read_cost_ns, write_cost_ns;
    double receive_ns_per_byte, send_ns_per_byte;

    struct name_cache file_info, directory, not_found;
    struct smb_account account;
    struct smb_slab *slabs;
    struct request *free_requests;

    struct smb_file_cache *file_cache; /* NULL until a file is kept open */
    int64_t active_ns;                 /* when the last request was sent or answered */
};

/* A request from the pool, NULL when memory is short. */
struct request *smb_request_new(struct smb_client *client, uint8_t workload);

/* Sends a request whose operation, file, bytes, done and owner are set. */
void smb_issue(struct smb_client *client, struct request *request);

/* The same for one on a stream. */
void smb_issue_on(struct smb_client *client, const struct smb_stream *stream, struct request *request);

/* Puts the answer of a request whose served_ns is known on its way back to the client. */
void smb_answer_goes(struct request *request);

#endif
