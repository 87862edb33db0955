/* Oplocks and leases: what a client may cache of a file that others may open too, and how that right is taken back.
 *
 * A server grants a client, when it opens a file, one of the states below. When another client then opens, reads or
 * writes the file in a way that the right does not allow, the server breaks it to a lesser one: it tells the holder, and
 * where the holder may have something to give up first (data not written, handles kept open) the event waits until the
 * holder has acknowledged, at most LEASE_ACKNOWLEDGE_NS; who has not answered by then has nothing any more.
 *
 *     oplocks (SMB 1)     level 2: reads             level 1: reads and writes    batch: reads, writes, handles
 *     leases (SMB 2.1+)   R: reads   RH: and handles   RW: reads and writes        RWH: all three
 *
 * All of it is arithmetic on states: no clock, no messages. Who keeps the time and sends the messages is lease_gate.h.
 * Rules: [MS-SMB2] 3.3.4.6, 3.3.4.7, 3.3.5.22 and [MS-FSA] 2.1.4.12, 2.1.5.17, as the table in lease.c.
 * What the model leaves out: filter oplocks; the parent keys of directory leases; byte-range locks.
 */
#ifndef VDISIM_LEASE_H
#define VDISIM_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* [MS-SMB2] 3.3.2.1: the acknowledgement timer of Windows servers. */
#define LEASE_ACKNOWLEDGE_NS INT64_C(35000000000)

enum lease_state {
    LEASE_NONE,
    LEASE_LEVEL_2,
    LEASE_LEVEL_1,
    LEASE_BATCH,
    LEASE_R,
    LEASE_RH,
    LEASE_RW,
    LEASE_RWH,
    LEASE_STATE_COUNT
};

/* What another client does to the file. */
enum lease_event {
    LEASE_OPEN,             /* opens it, in agreement with everybody's share access */
    LEASE_OPEN_CONFLICTING, /* would open it, but a holder's share access forbids it */
    LEASE_OPEN_OVERWRITING, /* opens it and replaces what is in it (SUPERSEDE, OVERWRITE, OVERWRITE_IF) */
    LEASE_OPEN_ATTRIBUTES,  /* opens it for its attributes only */
    LEASE_READ,
    LEASE_WRITE,
    LEASE_EVENT_COUNT
};

const char *lease_state_name(enum lease_state state);
const char *lease_event_name(enum lease_event event);

/* What a state allows to cache. */
bool lease_caches_reads(enum lease_state state);
bool lease_caches_writes(enum lease_state state);
bool lease_caches_handles(enum lease_state state);

struct lease_break {
    enum lease_state to; /* the state held when nothing breaks */
    bool breaks;
    bool acknowledged; /* the holder must answer */
    bool waits;        /* the event waits for that answer */
};

/* What an event of another client does to a state held. */
struct lease_break lease_break_by(enum lease_state held, enum lease_event event);

/* Whether two clients may hold these on one file at a time. */
bool lease_states_coexist(enum lease_state one, enum lease_state other);

/* What a client that wants `wanted` gets, when others have the file open and hold these: the most of what it wants that
 * coexists with all of them. Nobody caches writes of a file that others have open, whatever they hold. */
enum lease_state lease_grant(enum lease_state wanted, const enum lease_state *others, size_t count);

/* Whether a holder that was told to go to `to` may answer `answer`: that or less. */
bool lease_may_acknowledge(enum lease_state to, enum lease_state answer);

/* --- One file, and the clients that have it open. --- */

/* A client's open of the file. Embedded in what the client keeps of it. */
struct lease_holder {
    enum lease_state state;       /* read-only: what it may cache, until it has acknowledged a break */
    bool breaking;                /* read-only: an acknowledgement is due */
    enum lease_state breaking_to; /* read-only, while breaking */
    int64_t acknowledge_by_ns;    /* read-only, while breaking */
    bool is_open;                 /* read-only: among the holders of a file */
    struct lease_holder *next;    /* private */
};

struct lease_file {
    struct lease_holder *first; /* read-only; in the order in which they opened it */
    /* Called for each holder that must be told: it goes from what holder->state was (from) to `to`. Set by the owner. */
    void (*tell)(struct lease_file *file, struct lease_holder *holder, enum lease_state to,
                 bool acknowledged);
    uint64_t breaks, expired; /* read-only: told, and not answered in time */
};

void lease_file_init(struct lease_file *file,
                     void (*tell)(struct lease_file *, struct lease_holder *, enum lease_state, bool));

/* An event by a client (`by` NULL: one that holds nothing here). Breaks what it breaks. True: it may go on; false: it has
 * to wait until a holder has acknowledged, and must then be asked for again. */
bool lease_file_event(struct lease_file *file, const struct lease_holder *by, enum lease_event event,
                      int64_t now_ns);

/* Makes the client, whose open has passed lease_file_event(), one of the holders and grants it what it wants or less. A
 * holder that opens again keeps what it has, or gets more. */
enum lease_state lease_file_open(struct lease_file *file, struct lease_holder *holder,
                                 enum lease_state wanted);

/* The holder answers a break. False when none is due or the answer is more than was offered; then nothing changes. */
bool lease_file_acknowledge(struct lease_file *file, struct lease_holder *holder, enum lease_state answer);

/* Takes everything from those whose time is over; returns how many. */
size_t lease_file_expire(struct lease_file *file, int64_t now_ns);

/* The earliest time at which one is over; INT64_MAX when no answer is due. */
int64_t lease_file_next_expiry_ns(const struct lease_file *file);

/* The client closes the file: that answers a break, too. */
void lease_file_close(struct lease_file *file, struct lease_holder *holder);

#endif
