/* A request: one question of a client to a store, and the road it travels.
 *
 *     issued -> (window) -> granted -> (client's processor) -> sent -> (wire) -> arrived -> (door: limits) ->
 * admitted
 *            -> (queue) -> started -> (service) -> served -> (wire) -> done
 *
 * Every request of every workload takes this road and carries one time stamp a stage; everything reported is
 * measured on them. The stage times add up to done - issued. A request is a plain record with an event, not a
 * process.
 */
#ifndef VDISIM_REQUEST_H
#define VDISIM_REQUEST_H

#include "vdisim/event.h"
#include "vdisim/outcome.h"

#include <stdbool.h>
#include <stdint.h>

struct store;
struct store_file;
struct smb_stream;

/* The SMB commands that the models send, by their names in storage logs. */
enum operation {
    OPERATION_NEGOTIATE,
    OPERATION_SESSION_SETUP,
    OPERATION_TREE_CONNECT,
    OPERATION_LOGOFF,
    OPERATION_CREATE,
    OPERATION_CLOSE,
    OPERATION_QUERY_INFO,
    OPERATION_QUERY_DIRECTORY,
    OPERATION_SET_INFO,
    OPERATION_READ,
    OPERATION_WRITE,
    OPERATION_OPLOCK_BREAK, /* told by the server, and its acknowledgement: a request each */
    OPERATION_COUNT
};

const char *operation_name(enum operation operation);

/* The class whose latency applies to an operation. */
enum operation_class operation_class(enum operation operation);

/* Metadata operations work on handles (create, open, close, delete) and count against the metadata limit. */
bool operation_is_metadata(enum operation operation);

enum request_status {
    REQUEST_OK,
    REQUEST_NOT_FOUND,      /* the name does not exist: an answer like any other */
    REQUEST_OUT_OF_HANDLES, /* a hard error: too many open handles on one file or directory */
    REQUEST_NO_SPACE,       /* a hard error: the store is full */
};

#define REQUEST_PAGE_BYTES 4096

/* The place is not known: after the last request for the same file, or anywhere. */
#define REQUEST_ANYWHERE UINT32_MAX

/* The order of the fields keeps what one stage touches on one cache line: a thousand requests are in flight,
 * and most of what one costs is fetching it. */
struct request {
    struct sim_event event; /* private to whoever has the request at the moment */
    struct store *store;
    struct store_file *file; /* whose own limits apply; NULL: none worth tracking */
    void *carrier;           /* the transport that sent it */
    /* Called by the store once, as soon as served_ns is known (served_ns may lie in the future). */
    void (*leave)(struct request *request);
    /* Called when the answer is with the client. The request may be freed or sent again in it. */
    void (*done)(struct request *request);
    void *owner;

    /* What is asked, set by the client, and when each stage ended. */
    enum operation operation;
    enum request_status status; /* set by the store */
    int64_t ingress_bytes;      /* on the wire to the store, headers included */
    int64_t egress_bytes;       /* on the wire back */
    int64_t sent_ns, arrived_ns, admitted_ns, started_ns, served_ns;

    enum response_type response; /* set by the store */
    enum wait_cause limit;       /* which limit held the request between arrived and admitted */
    int64_t issued_ns, granted_ns, done_ns;
    uint16_t credits; /* of the connection, that it holds while in flight */
    uint8_t channel;  /* which of the client's connections carries it */
    uint8_t workload; /* whose it is: struct workload's number */
    uint32_t page;    /* where on a block store its data begin, in pages of 4 KiB; no other store asks */
    union {
        struct request *next; /* private, as the event */
        const struct smb_stream *stream;
    };
};

#endif
