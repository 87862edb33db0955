#include "vdisim/guest_disk.h"

#include "models/block/elevator.h"
#include "models/world/slab.h"
#include "vdisim/block.h"
#include "vdisim/time.h"

#include <assert.h>

#define GUEST(field) offsetof(struct guest_disk_settings, field)

/* How many waiting requests the elevator looks at, the oldest. */
#define ELEVATOR_WINDOW 128

/* Requests still with the store for each that an interrupt waits for: twice the threshold of vIC. */
#define IN_FLIGHT_A_COALESCED 8

static const struct parameter guest_disk_rows[] = {
    {.name = "queue_depth",
     .type = PARAMETER_COUNT,
     .offset = GUEST(queue_depth),
     .minimum = 1,
     .maximum = 65536,
     .help = "Requests of the guest that are with the store at a time"},
    {.name = "elevator",
     .type = PARAMETER_BOOLEAN,
     .offset = GUEST(elevator),
     .help = "Those that wait in the guest are sent in order of their places"},
    {.name = "submit_cost",
     .type = PARAMETER_DURATION,
     .offset = GUEST(submit_cost_ns),
     .maximum = 1e9,
     .help = "Processor time of the guest to send a request"},
    {.name = "interrupt_cost",
     .type = PARAMETER_DURATION,
     .offset = GUEST(interrupt_cost_ns),
     .maximum = 1e9,
     .help = "Processor time of the guest for an interrupt"},
    {.name = "coalesced",
     .type = PARAMETER_COUNT,
     .offset = GUEST(coalesced),
     .minimum = 1,
     .maximum = 1024,
     .help = "Requests that one interrupt delivers at most"},
};

const struct parameter_table guest_disk_parameters = {
    .name = "guest_disk",
    .help = "How a guest sees its disk",
    .size = sizeof(struct guest_disk_settings),
    .section = "guest_disks",
    .selector = "shown_as",
    PARAMETER_ROWS(guest_disk_rows),
};

void guest_disk_init(struct guest_disk *disk, struct sim *sim, const struct guest_disk_settings *settings,
                     struct store *store, uint8_t workload)
{
    *disk = (struct guest_disk){.sim = sim,
                                .settings = settings,
                                .store = store,
                                .workload = workload,
                                .pages = block_store_pages(store)};
}

void guest_disk_release(struct guest_disk *disk)
{
    struct slab_pool pool = {.slabs = disk->slabs};
    slab_pool_release(&pool);
}

static struct request *request_new(struct guest_disk *disk)
{
    struct slab_pool pool = {sizeof(struct request), disk->slabs, disk->free};
    struct request *request = slab_take(&pool);
    disk->slabs = pool.slabs;
    disk->free = pool.free;
    if (request == NULL)
        sim_out_of_memory(disk->sim);
    return request;
}

void guest_disk_free(struct request *request)
{
    struct guest_disk *disk = request->carrier;
    struct slab_pool pool = {.free = disk->free};
    slab_give(&pool, request);
    disk->free = pool.free;
}

static int64_t processor_works(struct guest_disk *disk, int64_t cost_ns)
{
    const int64_t now_ns = sim_now_ns(disk->sim);
    disk->processor_ns += cost_ns;
    if (disk->processor_free_ns < now_ns)
        disk->processor_free_ns = now_ns;
    return disk->processor_free_ns += cost_ns;
}

/* --- The way out. --- */

static void submit(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    store_submit(request->store, request);
}

static void grant(struct guest_disk *disk, struct request *request)
{
    disk->granted++;
    disk->with_store++;
    disk->last_page = request->page;
    request->granted_ns = sim_now_ns(disk->sim);
    request->sent_ns = request->arrived_ns = processor_works(disk, disk->settings->submit_cost_ns);
    if (request->arrived_ns == request->granted_ns) {
        store_submit(disk->store, request);
        return;
    }
    sim_event_init(&request->event, submit, SIM_EVENT_LABEL('g', 'd', 's', 'k'));
    sim_schedule_at(disk->sim, &request->event, request->arrived_ns);
}

/* Takes the request that is sent next out of the guest's queue. */
static struct request *take_next(struct guest_disk *disk)
{
    const int window = disk->settings->elevator ? ELEVATOR_WINDOW : 1;
    struct elevator elevator = {.from_page = disk->last_page};
    struct request *before = NULL, *request = disk->first;
    for (int seen = 0; request != NULL && seen < window; seen++) {
        elevator_offer(&elevator, request, before, request->page);
        before = request;
        request = request->next;
    }
    const struct elevator_stop stop = elevator_next(&elevator);
    struct request *taken = stop.item, *previous = stop.before;
    if (previous == NULL)
        disk->first = taken->next;
    else
        previous->next = taken->next;
    if (disk->last == taken)
        disk->last = previous;
    return taken;
}

static void grant_waiting(struct guest_disk *disk)
{
    while (disk->first != NULL && disk->granted < disk->settings->queue_depth) {
        disk->waiting--;
        grant(disk, take_next(disk));
    }
}

/* --- The way back. --- */

static void interrupt(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct guest_disk *disk = request->carrier;
    while (request != NULL) {
        struct request *next = request->next;
        request->done_ns = sim_now_ns(sim);
        disk->granted--;
        disk->answered++;
        store_settle(request);
        request->done(request);
        request = next;
    }
    grant_waiting(disk);
}

/* Raises the interrupt for all that have ended. */
static void raise_interrupt(struct guest_disk *disk)
{
    struct request *batch = disk->ended_first;
    disk->ended_first = disk->ended_last = NULL;
    disk->ended = 0;
    disk->interrupts++;
    const int64_t delivered_ns = processor_works(disk, disk->settings->interrupt_cost_ns);
    if (delivered_ns == sim_now_ns(disk->sim)) {
        interrupt(disk->sim, &batch->event);
        return;
    }
    sim_event_init(&batch->event, interrupt, SIM_EVENT_LABEL('g', 'd', 'i', 'r'));
    sim_schedule_at(disk->sim, &batch->event, delivered_ns);
}

static void request_ends(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct guest_disk *disk = request->carrier;
    disk->with_store--;
    request->next = NULL;
    if (disk->ended_first == NULL)
        disk->ended_first = request;
    else
        disk->ended_last->next = request;
    disk->ended_last = request;
    disk->ended++;
    int64_t wanted = disk->with_store / IN_FLIGHT_A_COALESCED;
    if (wanted > disk->settings->coalesced)
        wanted = disk->settings->coalesced;
    if (disk->ended >= wanted)
        raise_interrupt(disk);
}

static void request_leaves(struct request *request)
{
    struct guest_disk *disk = request->carrier;
    sim_event_init(&request->event, request_ends, SIM_EVENT_LABEL('g', 'd', 'e', 'n'));
    sim_schedule_at(disk->sim, &request->event, request->served_ns);
}

void guest_disk_send(struct guest_disk *disk, enum operation operation, uint32_t page, int64_t bytes,
                     void (*done)(struct request *request), void *owner)
{
    assert(bytes > 0 && (operation == OPERATION_READ || operation == OPERATION_WRITE));
    struct request *request = request_new(disk);
    if (request == NULL)
        return;
    *request = (struct request){
        .event = {.slot = SIM_EVENT_IDLE},
        .store = disk->store,
        .carrier = disk,
        .leave = request_leaves,
        .done = done,
        .owner = owner,
        .operation = operation,
        .ingress_bytes = operation == OPERATION_WRITE ? bytes : 0,
        .egress_bytes = operation == OPERATION_READ ? bytes : 0,
        .issued_ns = sim_now_ns(disk->sim),
        .page = page,
        .workload = disk->workload,
    };
    disk->sent++;
    if (disk->granted < disk->settings->queue_depth && disk->first == NULL) {
        grant(disk, request);
        return;
    }
    disk->waiting++;
    if (disk->first == NULL)
        disk->first = request;
    else
        disk->last->next = request;
    disk->last = request;
}

/* --- Transfers of a process. --- */

struct transfer {
    struct guest_disk *disk;
    struct sim_process *process;
    enum operation operation;
    uint32_t page;
    int64_t left_bytes, io_bytes;
    int64_t in_flight;
};

static void transfer_answered(struct request *request);

static void transfer_next(struct transfer *transfer)
{
    const int64_t bytes =
        transfer->left_bytes < transfer->io_bytes ? transfer->left_bytes : transfer->io_bytes;
    const uint32_t page = transfer->page;
    transfer->left_bytes -= bytes;
    transfer->in_flight++;
    if (page != REQUEST_ANYWHERE)
        transfer->page += (uint32_t)((bytes + REQUEST_PAGE_BYTES - 1) / REQUEST_PAGE_BYTES);
    guest_disk_send(transfer->disk, transfer->operation, page, bytes, transfer_answered, transfer);
}

static void transfer_answered(struct request *request)
{
    struct transfer *transfer = request->owner;
    guest_disk_free(request);
    transfer->in_flight--;
    if (transfer->left_bytes > 0)
        transfer_next(transfer);
    else if (transfer->in_flight == 0)
        sim_process_resume(transfer->process);
}

void guest_disk_transfer(struct guest_disk *disk, struct sim_process *self, enum operation operation,
                         uint32_t page, int64_t bytes, int64_t io_bytes, int64_t depth)
{
    assert(io_bytes > 0 && io_bytes % REQUEST_PAGE_BYTES == 0 && depth >= 1);
    struct transfer transfer = {.disk = disk,
                                .process = self,
                                .operation = operation,
                                .page = page,
                                .left_bytes = bytes,
                                .io_bytes = io_bytes};
    while (transfer.left_bytes > 0 && transfer.in_flight < depth)
        transfer_next(&transfer);
    if (transfer.in_flight > 0)
        sim_suspend(self, SIM_NEVER_NS);
}
