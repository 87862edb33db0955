#include "vdisim/generator.h"

#include "models/smb/smb_client.h"
#include "models/store/io_record.h"
#include "models/world/world_state.h"
#include "vdisim/random.h"
#include "vdisim/time.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define MIB 1048576.0

struct generator;

struct generator_file {
    struct store_file file;
    int64_t free_ns;     /* see struct smb_stream */
    uint32_t first_page; /* on a store that has places: one file behind the other */
};

struct generator_thread {
    struct generator_client *client;
    int64_t free_ns; /* see struct smb_stream */
    size_t next_file;
    struct sim_random choices;
};

/* A thread in a file: where it has got to. */
struct generator_stream {
    struct smb_stream smb;
    uint32_t next_page;
};

/* One outstanding I/O of a thread. */
struct generator_io {
    struct sim_event due; /* when the client's rate makes it wait */
    struct generator_thread *thread;
    uint32_t requests_left;
    bool writes;
    int64_t issued_ns;
};

struct generator_client {
    struct sim_process process;
    struct smb_caller caller;
    struct generator *generator;
    struct generator_file *files;
    struct generator_thread *threads;
    struct generator_stream *streams; /* [thread * files + file] */
    struct generator_io *ios;         /* [thread * outstanding + i] */
    size_t at_work;                   /* I/Os that are outstanding */
    int64_t next_ns;                  /* the rate lets the next one begin */
};

struct generator {
    struct workload workload; /* first */
    struct world *world;
    const struct generator_settings *settings;
    int64_t end_ns;
    uint32_t block_pages, file_pages;
    int64_t pace_ns; /* between I/Os of a client; 0: no limit */
    struct io_record record;
    struct generator_client *clients;
    size_t client_count;
};

static void answered(struct request *request);

/* Where the next block of a stream is, in its file. */
static uint32_t next_place(struct generator_thread *thread, struct generator_stream *stream)
{
    const struct generator *generator = thread->client->generator;
    const uint32_t pages = generator->block_pages;
    const bool jumps = sim_random_chance(&thread->choices, generator->settings->pattern.random_share);
    if (jumps)
        stream->next_page =
            (uint32_t)sim_random_below(&thread->choices, generator->file_pages / pages) * pages;
    else if (stream->next_page + pages > generator->file_pages)
        stream->next_page = 0;
    const uint32_t place = stream->next_page;
    stream->next_page += pages;
    return place;
}

static void send_io(struct generator_io *io)
{
    struct generator_thread *thread = io->thread;
    struct generator_client *client = thread->client;
    const struct generator *generator = client->generator;
    const struct generator_settings *settings = generator->settings;
    struct smb_client *smb = client->caller.client;
    const size_t file_number = thread->next_file, thread_number = (size_t)(thread - client->threads);
    thread->next_file = (thread->next_file + 1) % (size_t)settings->files;
    struct generator_file *file = &client->files[file_number];
    struct generator_stream *stream = &client->streams[thread_number * (size_t)settings->files + file_number];
    const int64_t block_bytes = settings->pattern.block_bytes, size_bytes = smb->settings->io_size_bytes;
    const uint32_t page = file->first_page + next_place(thread, stream);
    io->writes = !sim_random_chance(&thread->choices, settings->pattern.read_share);
    io->issued_ns = sim_now_ns(generator->world->sim);
    io->requests_left = (uint32_t)((block_bytes + size_bytes - 1) / size_bytes);
    for (int64_t sent = 0; sent < block_bytes; sent += size_bytes) {
        const int64_t bytes = block_bytes - sent < size_bytes ? block_bytes - sent : size_bytes;
        smb_send_on(smb, &stream->smb, generator->workload.number,
                    io->writes ? OPERATION_WRITE : OPERATION_READ, &file->file,
                    page + (uint32_t)(sent / REQUEST_PAGE_BYTES), io->writes ? bytes : 0,
                    io->writes ? 0 : bytes, answered, io);
    }
}

static void close_answered(struct request *request)
{
    smb_request_free(request->carrier, request);
}

static void close_files(struct generator_client *client)
{
    for (int64_t i = 0; i < client->generator->settings->files; i++)
        smb_send(client->caller.client, client->caller.workload, OPERATION_CLOSE, &client->files[i].file, 0,
                 0, close_answered, client);
}

/* Begins an I/O as soon as the client's rate allows, unless the time is over by then. */
static void begin_io(struct generator_io *io)
{
    struct generator_client *client = io->thread->client;
    const struct generator *generator = client->generator;
    const int64_t now_ns = sim_now_ns(generator->world->sim);
    const int64_t begin_ns = client->next_ns > now_ns ? client->next_ns : now_ns;
    if (begin_ns >= generator->end_ns) {
        if (--client->at_work == 0)
            close_files(client);
        return;
    }
    client->next_ns = begin_ns + generator->pace_ns;
    if (begin_ns > now_ns)
        sim_schedule_at(generator->world->sim, &io->due, begin_ns);
    else
        send_io(io);
}

static void io_is_due(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    send_io(SIM_CONTAINER_OF(event, struct generator_io, due));
}

static void answered(struct request *request)
{
    struct generator_io *io = request->owner;
    struct generator *generator = io->thread->client->generator;
    const int64_t now_ns = request->done_ns;
    smb_request_free(request->carrier, request);
    if (--io->requests_left > 0)
        return;
    /* As of the store, what is answered at the end of a second belongs to it. */
    if (!io_record_add(&generator->record, now_ns - 1, now_ns - io->issued_ns, io->writes,
                       generator->settings->pattern.block_bytes))
        sim_out_of_memory(generator->world->sim);
    begin_io(io);
}

static void client_lives(struct sim_process *self)
{
    struct generator_client *client = SIM_CONTAINER_OF(self, struct generator_client, process);
    const struct generator_settings *settings = client->generator->settings;
    smb_connect(&client->caller);
    for (int64_t i = 0; i < settings->files; i++)
        smb_open(&client->caller, &client->files[i].file);
    client->at_work = (size_t)(settings->threads * settings->outstanding);
    for (int64_t i = 0; i < settings->threads * settings->outstanding; i++)
        begin_io(&client->ios[i]);
}

/* The busiest minute of the clock within the span, and of an unmarked run also one that it does not complete. */
static double peak_bytes_per_s(const struct generator *generator, int64_t from_ns, int64_t to_ns)
{
    const struct io_record *record = &generator->record;
    const int64_t now_ns = sim_now_ns(generator->world->sim);
    const bool marked = from_ns > 0 || to_ns < now_ns;
    const int64_t last_ns = to_ns < now_ns ? to_ns : now_ns;
    double peak = NAN;
    for (int64_t minute_ns = (from_ns + SIM_NS_PER_MIN - 1) / SIM_NS_PER_MIN * SIM_NS_PER_MIN;
         minute_ns < last_ns; minute_ns += SIM_NS_PER_MIN) {
        if (marked && minute_ns + SIM_NS_PER_MIN > last_ns)
            break;
        struct io_sum sum;
        io_record_sum(record, minute_ns, minute_ns + SIM_NS_PER_MIN, minute_ns, minute_ns + SIM_NS_PER_MIN,
                      &sum);
        peak = fmax(peak, (double)(sum.all.read_bytes + sum.all.written_bytes) / 60.0);
    }
    return peak;
}

static void generator_report(struct workload *workload, int64_t from_ns, int64_t to_ns,
                             struct metric_sink *sink)
{
    const struct generator *generator = (const struct generator *)workload;
    const int64_t now_ns = sim_now_ns(generator->world->sim);
    struct io_sum sum;
    io_record_sum(&generator->record, from_ns, to_ns, generator->settings->start_ns,
                  now_ns < generator->end_ns ? now_ns : generator->end_ns, &sum);
    const double ios = (double)(sum.all.reads + sum.all.writes);
    const double some = ios > 0.0 ? ios : NAN, seconds = sum.seconds > 0.0 ? sum.seconds : NAN;
    metric_report(sink, "throughput.mean", "MiB/s",
                  (double)(sum.all.read_bytes + sum.all.written_bytes) / seconds / MIB);
    metric_report(sink, "throughput.peak", "MiB/s", peak_bytes_per_s(generator, from_ns, to_ns) / MIB);
    metric_report(sink, "throughput.read", "MiB/s", (double)sum.all.read_bytes / seconds / MIB);
    metric_report(sink, "throughput.write", "MiB/s", (double)sum.all.written_bytes / seconds / MIB);
    metric_report(sink, "io_latency.mean", "ms", sum.all.latency_sum_ns / some * 1e-6);
    metric_report(sink, "io_latency.p95", "ms", io_sum_quantile_ns(&sum, 0.95) * 1e-6);
    metric_report(sink, "io_latency.max", "ms", ios > 0.0 ? sum.all.latency_max_ns * 1e-6 : NAN);
}

static void generator_destroy(struct workload *workload)
{
    struct generator *generator = (struct generator *)workload;
    for (size_t i = 0; i < generator->client_count; i++) {
        free(generator->clients[i].files);
        free(generator->clients[i].threads);
        free(generator->clients[i].streams);
        free(generator->clients[i].ios);
    }
    free(generator->clients);
    io_record_release(&generator->record);
    free(generator);
}

static const struct workload_operations generator_operations = {.report = generator_report,
                                                                .destroy = generator_destroy};

/* Threads begin at places of their own, spread over the file. */
static void thread_init(struct generator_client *client, size_t number, uint32_t host)
{
    const struct generator *generator = client->generator;
    const struct generator_settings *settings = generator->settings;
    const struct world *world = generator->world;
    struct generator_thread *thread = &client->threads[number];
    *thread = (struct generator_thread){.client = client, .next_file = number % (size_t)settings->files};
    sim_random_init_named(&thread->choices, world->seed, world->replication, "%s/client %u/thread %zu",
                          generator->workload.name, host, number);
    const uint32_t blocks = generator->file_pages / generator->block_pages;
    const uint32_t first =
        (uint32_t)((uint64_t)blocks * number / (uint64_t)settings->threads) * generator->block_pages;
    for (size_t file = 0; file < (size_t)settings->files; file++) {
        const size_t pair = number * (size_t)settings->files + file;
        client->streams[pair].next_page = first;
        /* The channel goes by thread and file, so that neither a single thread's files nor a single file's threads
         * all share one. */
        smb_stream_init(&client->streams[pair].smb, client->caller.client, number + file, &thread->free_ns,
                        &client->files[file].free_ns);
    }
    for (int64_t i = 0; i < settings->outstanding; i++) {
        struct generator_io *io = &client->ios[(int64_t)number * settings->outstanding + i];
        io->thread = thread;
        sim_event_init(&io->due, io_is_due, SIM_EVENT_LABEL('g', 'e', 'n', 'd'));
    }
}

static bool client_init(struct generator *generator, struct generator_client *client, struct host *host,
                        struct store *store, uint32_t number)
{
    const struct generator_settings *settings = generator->settings;
    client->generator = generator;
    client->files = calloc((size_t)settings->files, sizeof *client->files);
    client->threads = calloc((size_t)settings->threads, sizeof *client->threads);
    client->streams = calloc((size_t)(settings->threads * settings->files), sizeof *client->streams);
    client->ios = calloc((size_t)(settings->threads * settings->outstanding), sizeof *client->ios);
    struct smb_client *smb = host_client(host, store);
    if (client->files == NULL || client->threads == NULL || client->streams == NULL || client->ios == NULL ||
        smb == NULL)
        return false;
    sim_process_init(&client->process, "generator", client_lives);
    smb_caller_init(&client->caller, &client->process, smb, generator->workload.number);
    for (size_t file = 0; file < (size_t)settings->files; file++)
        client->files[file].first_page = (uint32_t)((number * (uint64_t)settings->files + file) *
                                                    generator->file_pages % (UINT32_MAX / 2));
    for (size_t thread = 0; thread < (size_t)settings->threads; thread++)
        thread_init(client, thread, number);
    sim_process_start_after(generator->world->sim, &client->process, settings->start_ns);
    return true;
}

static struct workload *generator_create(struct world *world, const char *name, const void *settings_of)
{
    const struct generator_settings *settings = settings_of;
    struct generator *generator = calloc(1, sizeof *generator);
    if (generator == NULL)
        return NULL;
    workload_init(&generator->workload, world, &generator_operations, name);
    generator->world = world;
    generator->settings = settings;
    generator->end_ns = settings->duration_ns < SIM_NEVER_NS - settings->start_ns
                            ? settings->start_ns + settings->duration_ns
                            : SIM_NEVER_NS;
    generator->block_pages =
        (uint32_t)((settings->pattern.block_bytes + REQUEST_PAGE_BYTES - 1) / REQUEST_PAGE_BYTES);
    generator->pace_ns =
        sim_ns_round(sim_ns_per_unit(settings->client_bytes_per_s) * (double)settings->pattern.block_bytes);
    generator->file_pages = (uint32_t)(settings->file_bytes / REQUEST_PAGE_BYTES);
    io_record_init(&generator->record, world->scenario->run.length_ns);
    struct host_group *group = world_hosts(world, settings->hosts);
    struct store *store = world_store(world, settings->store);
    generator->clients = calloc(group->count, sizeof *generator->clients);
    if (generator->clients == NULL) {
        generator_destroy(&generator->workload);
        return NULL;
    }
    for (uint32_t i = 0; i < (uint32_t)group->count; i++) {
        generator->client_count++;
        if (!client_init(generator, &generator->clients[i], &group->hosts[i], store, i)) {
            generator_destroy(&generator->workload);
            return NULL;
        }
    }
    return &generator->workload;
}

const struct workload_kind generator_kind = {
    .name = "generator",
    .help = "Clients that keep I/O outstanding on files of a share, as diskspd does",
    .parameters = &generator_parameters,
    .create = generator_create,
    .check = generator_fits,
};
