#include "models/layering/layering_copy.h"

#include "vdisim/block.h"
#include "vdisim/sim.h"
#include "vdisim/time.h"

#include <assert.h>

struct layer_copy_state {
    struct layer_copy *copy;
    struct sim_process *process;
    int64_t begun_bytes; /* of which chunks have begun */
    int64_t in_flight;
};

static int64_t pages_of(int64_t bytes)
{
    return (bytes + REQUEST_PAGE_BYTES - 1) / REQUEST_PAGE_BYTES;
}

struct disk_place layering_place(struct layering_volume *volume, int64_t bytes)
{
    struct disk_place place = {volume, REQUEST_ANYWHERE};
    if (volume->pages == 0)
        return place;
    const int64_t pages = pages_of(bytes);
    assert(pages <= volume->pages);
    if (volume->next_page + pages > volume->pages)
        volume->next_page = 0;
    place.page = volume->next_page;
    volume->next_page += (uint32_t)pages;
    return place;
}

void appliance_init(struct appliance *appliance, struct sim *sim, const struct appliance_settings *settings)
{
    *appliance = (struct appliance){
        .settings = settings, .sim = sim, .ns_per_byte = sim_ns_per_unit(settings->bytes_per_s)};
}

static void chunk_begins(struct layer_chunk *chunk);

static void written(struct request *request)
{
    struct layer_chunk *chunk = request->owner;
    struct layer_copy_state *state = chunk->state;
    guest_disk_free(request);
    state->copy->written_bytes += chunk->bytes;
    state->in_flight--;
    if (state->begun_bytes < state->copy->bytes)
        chunk_begins(chunk);
    else if (state->in_flight == 0)
        sim_process_resume(state->process);
}

static void transfer(struct layer_chunk *chunk, const struct disk_place *place, enum operation operation,
                     void (*done)(struct request *request))
{
    const uint32_t page = place->page == REQUEST_ANYWHERE
                              ? REQUEST_ANYWHERE
                              : place->page + (uint32_t)(chunk->offset_bytes / REQUEST_PAGE_BYTES);
    guest_disk_send(&place->volume->disk, operation, page, chunk->bytes, done, chunk);
}

static void worked_on(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct layer_chunk *chunk = SIM_CONTAINER_OF(event, struct layer_chunk, event);
    transfer(chunk, &chunk->state->copy->to, OPERATION_WRITE, written);
}

static void work_on(struct layer_chunk *chunk)
{
    const struct layer_copy *copy = chunk->state->copy;
    struct appliance *appliance = copy->appliance;
    if (copy->by_hypervisor || appliance->ns_per_byte <= 0.0) {
        transfer(chunk, &copy->to, OPERATION_WRITE, written);
        return;
    }
    const int64_t now_ns = sim_now_ns(appliance->sim);
    if (appliance->free_ns < now_ns)
        appliance->free_ns = now_ns;
    appliance->free_ns += (int64_t)((double)chunk->bytes * appliance->ns_per_byte);
    sim_event_init(&chunk->event, worked_on, SIM_EVENT_LABEL('l', 'a', 'y', 'w'));
    sim_schedule_at(appliance->sim, &chunk->event, appliance->free_ns);
}

static void was_read(struct request *request)
{
    struct layer_chunk *chunk = request->owner;
    guest_disk_free(request);
    chunk->state->copy->read_bytes += chunk->bytes;
    work_on(chunk);
}

static void chunk_begins(struct layer_chunk *chunk)
{
    struct layer_copy_state *state = chunk->state;
    const struct layer_copy *copy = state->copy;
    const int64_t left_bytes = copy->bytes - state->begun_bytes,
                  most_bytes = copy->appliance->settings->chunk_bytes;
    chunk->offset_bytes = state->begun_bytes;
    chunk->bytes = left_bytes < most_bytes ? left_bytes : most_bytes;
    state->begun_bytes += chunk->bytes;
    state->in_flight++;
    if (copy->only_writes)
        work_on(chunk);
    else
        transfer(chunk, &copy->from, OPERATION_READ, was_read);
}

void layer_copy_run(struct layer_copy *copy, struct sim_process *self)
{
    struct layer_copy_state state = {.copy = copy, .process = self};
    for (int64_t i = 0; i < copy->appliance->settings->depth && state.begun_bytes < copy->bytes; i++) {
        copy->chunks[i].state = &state;
        chunk_begins(&copy->chunks[i]);
    }
    if (state.in_flight > 0)
        sim_suspend(self, SIM_NEVER_NS);
    assert(copy->written_bytes == copy->bytes);
}
