/* A guest's disk: the transport between a workload in a machine and a block store, as the machine sees the medium.
 *
 *     issued -> (guest's queue) -> granted -> (processor) -> sent = arrived -> store -> served -> (interrupt) -> done
 *
 * At most queue_depth requests are with the store at a time; the others wait in the guest, in order of arrival or, with
 * the elevator, in order of their places (upwards, then again from the bottom). A request costs the guest's processor
 * submit_cost before it is sent, and an interrupt when it has ended. Interrupts are coalesced: one comes as soon as
 *
 *     clamp(requests still with the store / 8, 1, coalesced)
 *
 * requests have ended (I. Ahmad, A. Gulati and A. Mashtizadeh, vIC, USENIX ATC 2011, with their threshold of 4 commands);
 * it costs interrupt_cost and delivers all of them. One core does all this, one thing after the other.
 *
 * A disk shown as a hard disk has a short queue, the elevator, and an interrupt a request; one shown as an SSD a deep
 * queue, no elevator, and coalesced interrupts: catalogue section `guest_disks`.
 *
 *     guest_disk_init(&disk, world->sim, &settings->guest, world_store(world, settings->store));
 *     guest_disk_send(&disk, OPERATION_WRITE, page, 4096, written, owner);      from anywhere; or, in a process:
 *     guest_disk_transfer(&disk, self, OPERATION_READ, page, bytes, 1 << 20, 4);
 *
 * A request of a workload that has no wire of its own: the link of an iSCSI volume belongs to the store (block.h).
 */
#ifndef VDISIM_GUEST_DISK_H
#define VDISIM_GUEST_DISK_H

#include "vdisim/parameter.h"
#include "vdisim/process.h"
#include "vdisim/request.h"
#include "vdisim/store.h"

struct guest_disk_settings {
    int64_t queue_depth;
    bool elevator;
    int64_t submit_cost_ns, interrupt_cost_ns;
    int64_t coalesced; /* requests that one interrupt delivers at most */
};

/* Section `guest_disks`, selector `shown_as`. */
extern const struct parameter_table guest_disk_parameters;

struct slab_link;

struct guest_disk {
    struct sim *sim;
    struct store *store;
    const struct guest_disk_settings *settings;
    uint8_t workload; /* whose requests it sends */
    uint32_t pages;   /* of the store, 0 when it has no places */

    /* Read-only. sent = answered + granted + waiting. */
    uint64_t sent, answered;
    int64_t waiting, granted;
    int64_t processor_ns; /* spent so far */
    uint64_t interrupts;

    /* Private. */
    int64_t with_store;
    int64_t processor_free_ns;
    uint32_t last_page;
    struct request *first, *last;             /* waiting */
    struct request *ended_first, *ended_last; /* for the interrupt */
    int64_t ended;
    struct slab_link *slabs, *free;
};

void guest_disk_init(struct guest_disk *disk, struct sim *sim, const struct guest_disk_settings *settings,
                     struct store *store, uint8_t workload);
void guest_disk_release(struct guest_disk *disk);

/* One read or write of `bytes` > 0 at `page`, which must be within the store (or REQUEST_ANYWHERE). done(request) is
 * called by an event with the answer; request->owner is `owner`. In it the request must be given back, or never. */
void guest_disk_send(struct guest_disk *disk, enum operation operation, uint32_t page, int64_t bytes,
                     void (*done)(struct request *request), void *owner);
void guest_disk_free(struct request *request);

/* Reads or writes `bytes` from `page` on, cut into requests of io_bytes (a multiple of 4 KiB), `depth` of them in flight;
 * returns when the last one is answered. A process that is stopped meanwhile must not be. */
void guest_disk_transfer(struct guest_disk *disk, struct sim_process *self, enum operation operation,
                         uint32_t page, int64_t bytes, int64_t io_bytes, int64_t depth);

#endif
