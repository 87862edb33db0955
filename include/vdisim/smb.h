/* The SMB client of one host for one store, as Windows' redirector behaves.
 *
 * All sessions of a host share one connection to a store: its credits (one a request, one a 64 KiB of
 * payload) bound what may be in flight, and its processing is bound to one processor core. With SMB Multichannel there are
 * several connections (channels), each with credits and a core of its own; see smb_stream. Payloads are cut
 * at the negotiated I/O size. Names that were looked up a moment ago are answered from three small caches
 * (file info, directory, not found), each with a lifetime and a number of entries.
 *
 * The calls below are for processes: each sends one or more requests down the road of request.h and returns
 * when the answer is there. Between calls the caller holds or works; what it waits for is charged to its
 * account (trace), if it keeps one.
 *
 * Every open and every read of the calls below goes to the store. A file whose data are cached in RAM under an oplock
 * or a lease is a struct smb_file, see smb_file.h.
 */
#ifndef VDISIM_SMB_H
#define VDISIM_SMB_H

#include "vdisim/name_cache.h"
#include "vdisim/outcome.h"
#include "vdisim/parameter.h"
#include "vdisim/process.h"
#include "vdisim/request.h"
#include "vdisim/smb_file.h"
#include "vdisim/store.h"

struct host;
struct smb_client;

struct smb_settings {
    int64_t credits;       /* of a connection: requests, or 64 KiB units of payload, in flight */
    int64_t io_size_bytes; /* largest payload of one READ or WRITE */
    int64_t copy_depth;    /* READs or WRITEs of one file copy in flight */
    int64_t read_cost_ns;  /* processor time of a request on the connection's core */
    int64_t write_cost_ns;
    double receive_bytes_per_s; /* what the core can receive */
    double send_bytes_per_s;
    int64_t channels;        /* connections to a store that offers as many; 0: one */
    double channel_overhead; /* more processor time of a request, as a share, when there are several */
    double
        client_bytes_per_s; /* what all channels move together, both directions added, reckoned with the answer; 0: no limit */
    int64_t header_bytes;          /* of a request and of a reply on the wire, beyond the payload */
    int64_t directory_reply_bytes; /* most that one QUERY_DIRECTORY answers */
    int64_t directory_entry_bytes; /* of a file in a listing, with its name */
    struct name_cache_settings file_info, directory, not_found;
    int64_t directory_cache_entry_bytes; /* larger directories are not cached */
    struct smb_cache_settings data_cache;
};

extern const struct parameter_table smb_parameters;

/* A process that talks SMB: where its waiting goes. Embedded in the actor. */
struct smb_caller {
    struct sim_process *process;
    struct smb_client *client;
    uint8_t workload;           /* its number */
    struct logon_record *trace; /* NULL: not accounted */
    enum logon_phase phase;
    int64_t accounted_ns; /* the trace is complete up to here */
    enum request_status status;

    /* Private: the copy that is going on. */
    enum operation operation;
    struct store_file *file;
    int64_t remaining_bytes;
    struct store_file one_of_many; /* stands for a file that is tracked by nobody, while it is copied */
    uint32_t in_flight;
};

void smb_caller_init(struct smb_caller *caller, struct sim_process *process, struct smb_client *client,
                     uint8_t workload);

/* Turns the caller to another store; between calls only. */
void smb_caller_use(struct smb_caller *caller, struct smb_client *client);

/* Starts or ends the account of a caller's waiting; `trace` NULL ends it. */
void smb_trace(struct smb_caller *caller, struct logon_record *trace, enum logon_phase phase);

/* Lets time pass for the caller, charged to `cause`. */
void smb_spend(struct smb_caller *caller, int64_t ns, enum wait_cause cause);

/* Charges what has passed since the last account to `cause`. */
void smb_charge(struct smb_caller *caller, enum wait_cause cause);

/* One round trip: payload bytes beyond the headers go to the store and come back. */
enum request_status smb_call(struct smb_caller *caller, enum operation operation, struct store_file *file,
                             int64_t payload_out_bytes, int64_t payload_in_bytes);

/* Session with the server: NEGOTIATE for the first on this host, SESSION_SETUP twice, TREE_CONNECT; and its
 * end. */
void smb_connect(struct smb_caller *caller);
void smb_disconnect(struct smb_caller *caller);

/* CREATE, and CLOSE. */
enum request_status smb_open(struct smb_caller *caller, struct store_file *file);
void smb_close(struct smb_caller *caller, struct store_file *file);

/* Reads or writes `bytes` of an open file, cut at the I/O size, copy_depth requests in flight. */
void smb_read(struct smb_caller *caller, struct store_file *file, int64_t bytes);
void smb_write(struct smb_caller *caller, struct store_file *file, int64_t bytes);

/* Does this name exist? Answered from the caches, or by CREATE, QUERY_INFO, CLOSE (CREATE alone when it does
 * not exist). `path` names it uniquely on its store. */
enum request_status smb_look_up(struct smb_caller *caller, uint64_t path, struct store_file *file,
                                bool exists);

/* Lists a directory of `entries` names: from the cache, or by CREATE, QUERY_DIRECTORY until nothing is left,
 * CLOSE. */
void smb_list(struct smb_caller *caller, uint64_t path, int64_t entries);

/* The topmost directory of the client's store. */
struct store_file *smb_root(struct smb_client *client);

/* A request without a process waiting for it: done(owner) is called with the answer. */
void smb_send(struct smb_client *client, uint8_t workload, enum operation operation, struct store_file *file,
              int64_t payload_out_bytes, int64_t payload_in_bytes, void (*done)(struct request *),
              void *owner);

/* What one thread asks of one file, for load that is told apart by both.
 *
 * With several channels a stream keeps to one of them, streams being spread evenly, so that what a single thread asks of a
 * single file is done by one core. The redirector's own work on a request, its cost without the data, is done for one
 * request of a thread at a time, and for one of a file: small I/O on one file gains nothing from more cores. Without
 * several channels the one core does all of it, and a stream changes nothing. */
struct smb_stream {
    int64_t *thread_free_ns,
        *file_free_ns; /* of this host's thread and file, 0 at first; owned by the caller */
    uint8_t channel;
};
/* The number-th stream of a client. */
void smb_stream_init(struct smb_stream *stream, const struct smb_client *client, size_t number,
                     int64_t *thread_free_ns, int64_t *file_free_ns);

/* As smb_send(), on a stream, for data that begin at `page` (request.h). */
void smb_send_on(struct smb_client *client, const struct smb_stream *stream, uint8_t workload,
                 enum operation operation, struct store_file *file, uint32_t page, int64_t payload_out_bytes,
                 int64_t payload_in_bytes, void (*done)(struct request *), void *owner);

/* For the owner of an answered request: gives it back to the client's pool. */
void smb_request_free(struct smb_client *client, struct request *request);

/* Made by host_client(). */
struct smb_client *smb_client_create(struct host *host, struct store *store);
void smb_client_destroy(struct smb_client *client);

/* Requests sent and answered so far: sent = answered + in flight + waiting for credits. */
struct smb_account {
    uint64_t sent, answered;
    uint64_t in_flight, waiting;
    uint64_t name_cache_hits, name_cache_misses;
};
struct smb_account smb_account(const struct smb_client *client);

#endif
