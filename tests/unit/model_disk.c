/* Disks against theory: the mean access of a hard disk, its elevator, the channels of flash as M/G/1, M/M/c and M/D/1. */
#include "tests/support/check.h"
#include "vdisim/disk.h"
#include "vdisim/random.h"
#include "vdisim/sim.h"
#include "vdisim/time.h"

#include <stdlib.h>

static struct disk_settings hard_disk(void)
{
    return (struct disk_settings){.medium = DISK_HDD,
                                  .capacity_bytes = INT64_C(2000000000000),
                                  .seek_min_ns = 800000,
                                  .seek_mean_ns = 8500000,
                                  .rotation_ns = 8333333,
                                  .outer_bytes_per_s = 175e6,
                                  .inner_bytes_per_s = 83e6,
                                  .queue_depth = 32,
                                  .order = DISK_ELEVATOR};
}

static struct disk_settings flash(int64_t channels, double spread)
{
    return (struct disk_settings){.medium = DISK_FLASH,
                                  .capacity_bytes = INT64_C(500000000000),
                                  .channels = channels,
                                  .read_time_ns = 100000,
                                  .write_time_ns = 300000,
                                  .time_spread = spread,
                                  .read_bytes_per_s = INFINITY,
                                  .write_bytes_per_s = INFINITY};
}

/* --- Operations that follow each other: `outstanding` at a time at uniform places. --- */

struct closed_load {
    struct disk disk;
    struct sim *sim;
    struct sim_random places;
    uint32_t pages;
    uint64_t left, ended;
    double response_ns;
};

struct loaded {
    struct disk_operation operation;
    int64_t submitted_ns;
};

static void submit_next(struct closed_load *load, struct loaded *loaded)
{
    if (load->left == 0)
        return;
    load->left--;
    loaded->operation.page =
        (uint32_t)sim_random_below(&load->places, (uint64_t)load->disk.capacity_pages - load->pages);
    loaded->operation.pages = load->pages;
    loaded->submitted_ns = sim_now_ns(load->sim);
    assert_false(disk_submit(&load->disk, &loaded->operation));
}

static void loaded_done(struct disk_operation *operation)
{
    struct loaded *loaded = SIM_CONTAINER_OF(operation, struct loaded, operation);
    struct closed_load *load = operation->owner;
    load->ended++;
    load->response_ns += (double)(operation->ended_ns - loaded->submitted_ns);
    submit_next(load, loaded);
}

/* Operations a second. */
static double run_closed(const struct disk_settings *settings, int outstanding, uint32_t pages,
                         uint64_t count, double *mean_response_ns)
{
    struct closed_load load = {.sim = sim_create(), .pages = pages, .left = count};
    assert_true(disk_init(&load.disk, load.sim, settings, 1, 0, "disk", 0));
    sim_random_init(&load.places, 2, 0, "places");
    struct loaded *loaded = calloc((size_t)outstanding, sizeof *loaded);
    for (int i = 0; i < outstanding; i++) {
        loaded[i].operation.done = loaded_done;
        loaded[i].operation.owner = &load;
        submit_next(&load, &loaded[i]);
    }
    sim_run_until(load.sim, SIM_NEVER_NS);
    assert_int_equal(load.ended, count);
    assert_int_equal(load.disk.inside, 0);
    const double per_s = (double)count / sim_s_from_ns(sim_now_ns(load.sim));
    if (mean_response_ns != NULL)
        *mean_response_ns = load.response_ns / (double)count;
    disk_release(&load.disk);
    sim_destroy(load.sim);
    free(loaded);
    return per_s;
}

static void mean_access_is_seek_half_a_turn_and_transfer(void **state)
{
    (void)state;
    const struct disk_settings settings = hard_disk();
    double response_ns = 0.0;
    const double per_s = run_closed(&settings, 1, 16, 400000, &response_ns);
    /* 8.5 ms, 4.17 ms, and 64 KiB at the mean of 1 / rate: ln(175 / 83) / (175 - 83) ns a byte. */
    const double expected = 8500000.0 + 8333333.0 / 2.0 + 65536.0 * log(175.0 / 83.0) / (175.0 - 83.0) * 1e3;
    assert_near_relative(response_ns, expected, 0.003);
    assert_near_relative(disk_mean_access_ns(&settings, false, 65536), expected, 1e-9);
    assert_near_relative(per_s, 1e9 / expected, 0.003);
}

static void seeks_have_their_ends_and_their_mean(void **state)
{
    (void)state;
    const struct disk_settings settings = hard_disk();
    assert_near(disk_seek_ns(&settings, 0.0), 0.0, 0.0);
    assert_near_relative(disk_seek_ns(&settings, 1e-18), 800000, 1e-6);
    double sum = 0.0;
    for (int i = 0; i < 100000; i++) { /* the distance of two uniform places has the density 2 (1 - d) */
        const double d = (i + 0.5) / 100000;
        sum += 2.0 * (1.0 - d) * disk_seek_ns(&settings, d) / 100000;
    }
    assert_near_relative(sum, 8500000.0, 1e-5);
    for (double d = 0.0; d < 0.99; d += 0.01)
        assert_true(disk_seek_ns(&settings, d + 0.01) > disk_seek_ns(&settings, d));
}

static void the_elevator_beats_arrival_order(void **state)
{
    (void)state;
    struct disk_settings settings = hard_disk();
    double of_depth[2];
    const int depths[2] = {8, 32};
    for (int i = 0; i < 2; i++) {
        settings.order = DISK_FIFO;
        const double fifo = run_closed(&settings, depths[i], 1, 20000, NULL);
        settings.order = DISK_ELEVATOR;
        of_depth[i] = run_closed(&settings, depths[i], 1, 20000, NULL);
        assert_true(of_depth[i] > (i == 0 ? 1.2 : 1.5) * fifo);
    }
    assert_true(of_depth[1] > of_depth[0]);
    /* With a queue of one in the disk there is nothing to choose from. */
    settings.queue_depth = 1;
    const double shallow = run_closed(&settings, 32, 1, 20000, NULL);
    settings.order = DISK_FIFO;
    assert_near(run_closed(&settings, 32, 1, 20000, NULL), shallow, 0.0);
}

static void ignore(struct disk_operation *operation)
{
    *(int *)operation->owner += 1;
}

static void what_follows_on_needs_no_seek(void **state)
{
    (void)state;
    struct disk_settings settings = hard_disk();
    settings.inner_bytes_per_s = settings.outer_bytes_per_s = 409.6e6; /* a page in 10 us */
    struct sim *sim = sim_create();
    struct disk disk;
    int done = 0;
    assert_true(disk_init(&disk, sim, &settings, 1, 0, "disk", 0));
    struct disk_operation operations[3] = {
        {.page = 0, .pages = 100, .done = ignore, .owner = &done},
        {.page = 100, .pages = 100, .done = ignore, .owner = &done},
        {.page = 210, .pages = 100, .done = ignore, .owner = &done}, /* ten pages ahead */
    };
    for (int i = 0; i < 3; i++)
        disk_submit(&disk, &operations[i]);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_int_equal(done, 3);
    assert_int_equal(operations[0].ended_ns, 1000000);
    assert_int_equal(operations[1].ended_ns, 2000000);
    assert_int_equal(operations[2].ended_ns, 3100000);
    assert_int_equal(disk.account.reads, 3);
    assert_int_equal(disk.account.pages_read, 300);
    disk_release(&disk);
    sim_destroy(sim);
}

/* When an operation of a page, `gap` pages ahead of where the arm is, has ended. */
static int64_t ended_after_a_gap(uint32_t gap, uint64_t seed)
{
    struct disk_settings settings = hard_disk();
    settings.inner_bytes_per_s = settings.outer_bytes_per_s = 409.6e6; /* a page in 10 us */
    settings.seek_min_ns = settings.seek_mean_ns = 1000000;            /* and any seek in 1 ms */
    settings.rotation_ns = 8000000;
    struct sim *sim = sim_create();
    struct disk disk;
    int done = 0;
    assert_true(disk_init(&disk, sim, &settings, seed, 0, "disk", 0));
    struct disk_operation operation = {.page = gap, .pages = 1, .done = ignore, .owner = &done};
    disk_submit(&disk, &operation);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_int_equal(done, 1);
    disk_release(&disk);
    sim_destroy(sim);
    return operation.ended_ns;
}

/* A gap is let pass as long as that takes no longer than a seek and half a turn on average: 1 + 4 ms, 500 pages. */
static void a_gap_passes_unless_a_seek_is_sooner(void **state)
{
    (void)state;
    double sum_ns = 0.0;
    int passed = 0;
    enum { SEEDS = 400 };
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_int_equal(ended_after_a_gap(300, seed), 3000000 + 10000);
        assert_int_equal(ended_after_a_gap(500, seed), 5000000 + 10000);
        const int64_t ended_ns = ended_after_a_gap(501, seed);
        assert_between((double)ended_ns, 1010000.0, 9010000.0);
        sum_ns += (double)ended_ns;
        passed += ended_ns == 5010000 + 10000;
    }
    assert_true(passed < 3); /* by chance */
    /* A uniform turn of 8 ms: a deviation of 2.3, and four standard errors. */
    assert_near(sum_ns / SEEDS, 5010000.0, 4 * 2.31e6 / sqrt(SEEDS));
}

/* --- Flash with Poisson arrivals. --- */

struct open_load {
    struct sim_event arrives;
    struct disk disk;
    struct sim_random arrivals;
    double gap_ns;
    uint64_t left, count;
    double wait_ns;
};

static void arrives(struct sim *sim, struct sim_event *event)
{
    struct open_load *load = SIM_CONTAINER_OF(event, struct open_load, arrives);
    struct disk_operation operation = {.pages = 1};
    assert_true(disk_submit(&load->disk, &operation));
    load->wait_ns += (double)(operation.ended_ns - sim_now_ns(sim));
    load->count++;
    if (load->left-- > 0)
        sim_schedule_after(sim, event, sim_ns_round(load->gap_ns * sim_random_exponential(&load->arrivals)));
}

/* Mean time in the system at a utilisation. */
static double mean_response(const struct disk_settings *settings, double utilisation, uint64_t count)
{
    struct sim *sim = sim_create();
    struct open_load load = {.left = count};
    assert_true(disk_init(&load.disk, sim, settings, 3, 0, "flash", 0));
    sim_random_init(&load.arrivals, 4, 0, "arrivals");
    load.gap_ns = (double)settings->read_time_ns / (double)settings->channels / utilisation;
    sim_event_init(&load.arrives, arrives, SIM_EVENT_LABEL('a', 'r', 'r', 'v'));
    sim_schedule_at(sim, &load.arrives, 0);
    sim_run_until(sim, SIM_NEVER_NS);
    const double mean = load.wait_ns / (double)load.count;
    disk_release(&load.disk);
    sim_destroy(sim);
    return mean;
}

/* Erlang's C: the probability that all c servers are busy. */
static double erlang_c(int c, double load)
{
    double inverse_b = 1.0;
    for (int k = 1; k <= c; k++)
        inverse_b = 1.0 + k / load * inverse_b;
    const double b = 1.0 / inverse_b, rho = load / c;
    return b / (1.0 - rho * (1.0 - b));
}

static void channels_are_one_queue_with_several_servers(void **state)
{
    (void)state;
    const double s = 100000.0;
    const int channels[] = {1, 2, 9};
    for (int i = 0; i < 3; i++) {
        const struct disk_settings settings = flash(channels[i], 1.0);
        const double rho = 0.8, c = channels[i];
        const double expected = s + erlang_c(channels[i], rho * c) * s / (c * (1.0 - rho));
        assert_near_relative(mean_response(&settings, rho, 2000000), expected, 0.02);
    }
}

/* Pollaczek and Khinchine: W = rho s (1 + cv^2) / (2 (1 - rho)). */
static void one_channel_waits_as_of_mg1(void **state)
{
    (void)state;
    const double s = 100000.0, rho = 0.7, spreads[] = {0.0, 0.2, 0.5, 1.0};
    for (int i = 0; i < 4; i++) {
        const struct disk_settings settings = flash(1, spreads[i]);
        const double expected = s + rho * s * (1.0 + spreads[i] * spreads[i]) / (2.0 * (1.0 - rho));
        assert_near_relative(mean_response(&settings, rho, 1000000), expected, 0.02);
    }
}

static void the_interface_bounds_large_operations(void **state)
{
    (void)state;
    struct disk_settings settings = flash(8, 0.0);
    settings.read_bytes_per_s = 409.6e6;
    settings.write_bytes_per_s = 204.8e6;
    struct sim *sim = sim_create();
    struct disk disk;
    assert_true(disk_init(&disk, sim, &settings, 1, 0, "flash", 0));
    struct disk_operation operation = {.pages = 256};
    for (int i = 1; i <= 20; i++) {
        disk_submit(&disk, &operation);
        assert_int_equal(operation.ended_ns, i * 2560000 + 100000); /* the channel is never the bottleneck */
    }
    operation.writes = true;
    disk_submit(&disk, &operation);
    assert_int_equal(operation.ended_ns, 20 * 2560000 + 5120000 + 300000);
    assert_int_equal(disk.account.writes, 1);
    disk_release(&disk);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_access_is_seek_half_a_turn_and_transfer),
        cmocka_unit_test(seeks_have_their_ends_and_their_mean),
        cmocka_unit_test(the_elevator_beats_arrival_order),
        cmocka_unit_test(what_follows_on_needs_no_seek),
        cmocka_unit_test(a_gap_passes_unless_a_seek_is_sooner),
        cmocka_unit_test(channels_are_one_queue_with_several_servers),
        cmocka_unit_test(one_channel_waits_as_of_mg1),
        cmocka_unit_test(the_interface_bounds_large_operations),
    };
    return RUN_TESTS(tests);
}
