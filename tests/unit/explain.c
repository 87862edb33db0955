/* Explanations of experiments whose bottleneck is known. */
#include "sim/experiment/explain/explain.h"

#include "sim/experiment/read/opening.h"
#include "tests/support/check.h"
#include "tests/support/problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A share without any limit, and what is set otherwise. */
#define SHARE_OF(more)                                                                                       \
    "experiment: known\n"                                                                                    \
    "stores: {profiles: {tier: azure-files/transaction-optimized, size: 5 TiB" more "}}\n"

#define LOGONS(more)                                                                                         \
    "workloads: {logons: {users: 12, arrivals: {window: 1 min}, mailbox: {io_rate: 0 /s}" more "}}\n"

struct study {
    struct problems *problems;
    struct experiment *experiment;
    struct explanation *it; /* NULL: refused */
};

static struct study begin(const char *text, const struct explain_request *request)
{
    char path[] = "/tmp/vdisim-explain-XXXXXX";
    struct study study = {.problems = problems_create()};
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    const struct experiment_options options = {.seed = -1};
    study.experiment = experiment_open(path, &options, study.problems);
    assert_no_errors(study.problems);
    assert_non_null(study.experiment);
    unlink(path);
    study.it = explanation_create(study.experiment, request, study.problems);
    return study;
}

static void end(struct study *study)
{
    explanation_destroy(study->it);
    experiment_close(study->experiment);
    problems_destroy(study->problems);
}

static struct study explained(const char *text, ptrdiff_t tries, size_t jobs)
{
    char message[256] = "";
    const struct explain_request request = {.tries = tries};
    const struct run_options run = {.jobs = jobs};
    struct study study = begin(text, &request);
    assert_no_errors(study.problems);
    assert_int_equal(explanation_run(study.it, &run, message, sizeof message), EXPLAIN_DONE);
    assert_int_equal(explanation_try(study.it, &run, message, sizeof message), EXPLAIN_DONE);
    return study;
}

static const struct explain_cell *chosen(const struct study *study)
{
    return &study->it->cells[study->it->chosen];
}

static const struct explain_change *change_of(const struct study *study, const char *name)
{
    for (size_t i = 0; i < study->it->change_count; i++)
        if (strcmp(study->it->changes[i].name, name) == 0)
            return &study->it->changes[i];
    return NULL;
}

static char *json_of(const struct explanation *it)
{
    char *text = NULL;
    size_t size = 0;
    struct writer writer = {.file = open_memstream(&text, &size)};
    explanation_print_json(it, &writer);
    fclose(writer.file);
    return text;
}

/* Every nanosecond of every logon is in one part and one phase, also of those that had not finished. */
static void check_identity(const struct study *study)
{
    const struct explain_cell *cell = chosen(study);
    const struct unit_result *unit = &study->it->result->units[study->it->chosen];
    int64_t load_ns = 0, parts_ns = 0;
    double share = 0;
    for (size_t i = 0; i < unit->logon_count; i++)
        load_ns += unit->logons[i].load_ns;
    for (size_t i = 0; i < cell->part_count; i++) {
        int64_t phases_ns = 0;
        for (size_t phase = 0; phase < PHASE_COUNT; phase++)
            phases_ns += cell->parts[i].phase_ns[phase];
        if (cell->parts[i].cause < CAUSE_COUNT)
            assert_true(phases_ns == cell->parts[i].ns);
        parts_ns += cell->parts[i].ns;
        share += cell->parts[i].share;
        assert_true(i == 0 || cell->parts[i].s <= cell->parts[i - 1].s);
    }
    assert_true(load_ns > 0 && parts_ns == load_ns && cell->total_ns == load_ns);
    assert_near(share, 1.0, 1e-9);
}

static void parts_add_up(void **state)
{
    (void)state;
    struct study study = explained(SHARE_OF("") LOGONS("") "run: {length: 3 min}\n", 0, 1);
    check_identity(&study);
    assert_int_equal(chosen(&study)->time.unfinished, 0);
    assert_int_equal(study.it->change_count, 0);
    end(&study);

    /* The run ends in the middle of most logons. */
    study = explained(SHARE_OF(", egress: 1 MiB/s") LOGONS("") "run: {length: 65 s}\n", 0, 1);
    check_identity(&study);
    assert_true(chosen(&study)->time.unfinished > 0);
    end(&study);
}

static void egress_is_named_and_lifting_it_helps(void **state)
{
    (void)state;
    struct study study = explained(
        SHARE_OF(", egress: 4 MiB/s") LOGONS(
            ", profile_management: {streaming: false, large_file_handling: true}") "run: {length: 60 min}\n",
        9, 2);
    const struct explain_cell *cell = chosen(&study);
    check_identity(&study);
    assert_int_equal(cell->parts[0].cause, CAUSE_EGRESS_LIMIT);
    assert_true(cell->parts[0].share > 0.9);
    assert_non_null(strstr(cell->sentence, "waiting for egress: profiles sends at most 4 MiB/s"));
    assert_non_null(strstr(cell->sentence, "while copying the files"));
    assert_int_equal(cell->spells[0].bound, RESPONSE_SHARE_EGRESS_THROTTLING);

    const struct explain_change *lifted = change_of(&study, "egress");
    assert_non_null(lifted);
    assert_true(lifted->saved > 0.8);
    assert_true(lifted->carried > 4); /* what was asked for, in MiB/s */
    assert_true(lifted->expected == cell->parts[0].share);
    assert_non_null(change_of(&study, "streaming"));
    assert_true(change_of(&study, "streaming")->saved > 0.5);
    assert_null(change_of(&study, "iops")); /* nothing was charged to it */
    for (size_t i = 1; i < study.it->change_count; i++)
        assert_false(study.it->changes[i].saved > study.it->changes[i - 1].saved);
    end(&study);
}

static void iops_are_named(void **state)
{
    (void)state;
    struct study study =
        explained(SHARE_OF(", base_iops: 100 IOPS") LOGONS("") "run: {length: 30 min}\n", 2, 2);
    const struct explain_cell *cell = chosen(&study);
    assert_int_equal(cell->parts[0].cause, CAUSE_IOPS_LIMIT);
    assert_non_null(strstr(cell->sentence, "profiles answers at most 100 IOPS"));
    assert_non_null(change_of(&study, "iops"));
    assert_true(change_of(&study, "iops")->saved > 0.5);
    assert_int_equal(study.it->change_count, 2);
    assert_true(study.it->left_out > 0);
    end(&study);
}

/* An account of 100 IOPS behind two shares: with one try the account is what is tried, in both of them. */
static void an_account_is_lifted_in_all_its_shares(void **state)
{
    (void)state;
    struct study study = explained(
        "experiment: known\n"
        "stores:\n"
        "  a: {tier: azure-files/transaction-optimized, size: 5 TiB, account: x, account_iops: 100 IOPS}\n"
        "  b: {tier: azure-files/transaction-optimized, size: 5 TiB, account: x, account_iops: 100 IOPS}\n"
        "workloads:\n"
        "  one: {kind: logons, store: a, users: 12, arrivals: {window: 1 min}, mailbox: {io_rate: 0 /s}}\n"
        "  two: {kind: logons, store: b, users: 12, arrivals: {window: 1 min}, mailbox: {io_rate: 0 /s}}\n"
        "run: {length: 30 min}\n",
        1, 2);
    assert_int_equal(chosen(&study)->parts[0].cause, CAUSE_ACCOUNT_LIMIT);
    const struct explain_change *lifted = change_of(&study, "account");
    assert_non_null(lifted);
    assert_true(lifted->saved > 0.8);
    assert_string_equal(lifted->words, "the storage account x had no limits");
    bool both[2] = {false, false};
    for (size_t i = 0; i < lifted->value_count; i++) {
        both[0] |= strcmp(lifted->values[i].key, "stores.a.account_iops") == 0;
        both[1] |= strcmp(lifted->values[i].key, "stores.b.account_iops") == 0;
    }
    assert_true(both[0] && both[1]);
    end(&study);
}

/* A machine that may move 48 MB/s with a disk that bursts to 170: the machine is what is in the way, of logons and of a load. */
static void the_machine_of_a_file_server_is_lifted(void **state)
{
    (void)state;
    struct study study = explained(
        "experiment: known\n"
        "stores: {profiles: {tier: file-server/azure, disk: azure/p4, disks: 1, machine: azure/d2s-v3}}\n"
        "workloads: {logons: {users: 30, arrivals: {window: 1 min}, mailbox: {io_rate: 0 /s},\n"
        "  profile_management: {streaming: false, large_file_handling: true}}}\n"
        "run: {length: 30 min}\n",
        9, 2);
    assert_int_equal(chosen(&study)->parts[0].cause, CAUSE_EGRESS_LIMIT);
    assert_non_null(
        strstr(chosen(&study)->sentence, "what the disks and the machine of profiles let through"));
    assert_non_null(change_of(&study, "machine"));
    assert_true(change_of(&study, "machine")->saved > 0.5);
    assert_non_null(change_of(&study, "disk_limits"));
    assert_true(change_of(&study, "disk_limits")->saved < 0.05);
    assert_null(change_of(&study, "account"));
    end(&study);

    study = explained(
        "experiment: known\n"
        "stores: {server: {tier: file-server/azure, disk: azure/p4, disks: 1, machine: azure/d2s-v3}}\n"
        "hosts: {clients: {count: 1}}\n"
        "workloads: {load: {kind: generator, pattern: {block_size: 1 MiB, read_share: 0 %}, threads: 8,\n"
        "  outstanding: 32, files: 8, file_size: 1 GiB}}\n"
        "run: {length: 20 s}\n",
        9, 2);
    assert_int_equal(chosen(&study)->subject, SUBJECT_THROUGHPUT);
    assert_non_null(change_of(&study, "machine"));
    assert_true(change_of(&study, "machine")->saved > 1);
    end(&study);
}

/* FSx on hard disks of 24 IOPS, without credits: the volumes are in the way; the largest server moves the same. */
static void the_volumes_of_fsx_are_lifted(void **state)
{
    (void)state;
    struct study study =
        explained("experiment: known\n"
                  "stores: {profiles: {tier: amazon-fsx/windows-hdd, size: 2 TiB, server: mbps-32, "
                  "initial_credits: 0 %}}\n"
                  "workloads: {logons: {users: 12, arrivals: {window: 1 min}, mailbox: {io_rate: 0 /s},\n"
                  "  profile_management: {streaming: false}}}\n"
                  "run: {length: 60 min}\n",
                  12, 2);
    assert_int_equal(chosen(&study)->parts[0].cause, CAUSE_IOPS_LIMIT);
    assert_non_null(change_of(&study, "volumes"));
    assert_true(change_of(&study, "volumes")->saved > 0.5);
    assert_non_null(change_of(&study, "server"));
    assert_null(change_of(&study, "server")->why_not);
    assert_true(change_of(&study, "server")->saved < change_of(&study, "volumes")->saved);
    end(&study);
}

/* Every user comes back after half of a session of 1 min: 12 logons in 1 s, 12 that wait some 30 s for the lock. The share of
 * the retries is one of all logons, of which the median is not typical. */
static void a_lock_is_named_and_what_is_done_about_it(void **state)
{
    (void)state;
    struct study study = explained(
        SHARE_OF("") LOGONS(", engine: container, container: fslogix, session_length: 1 min, "
                            "devices: {count: 2, after: logon, interval: 31 s}") "run: {length: 10 min}\n",
        9, 2);
    const struct explain_cell *cell = chosen(&study);
    check_identity(&study);
    assert_int_equal(cell->parts[0].cause, CAUSE_LOCK_RETRY);
    assert_true(cell->time.mean > 1.5 * cell->time.median);
    assert_non_null(strstr(cell->sentence, " on average (median "));
    assert_true(change_of(&study, "second_session")->saved > 0.8);
    const struct explain_change *sooner = change_of(&study, "lock_retries");
    assert_non_null(sooner);
    assert_int_equal(sooner->value_count, 2);
    assert_string_equal(sooner->values[0].value, "1 s");
    assert_string_equal(sooner->values[1].value, "60"); /* of 12 times 5 s */
    assert_true(sooner->saved > 0.01 && sooner->saved < 0.2);
    assert_null(change_of(&study, "streaming"));
    end(&study);
}

/* Roaming profiles are copied whatever Citrix Profile Management would do with their files. */
static void nothing_is_tried_that_the_engine_does_not_ask_for(void **state)
{
    (void)state;
    struct study study = explained(SHARE_OF("") LOGONS(", engine: roaming") "run: {length: 10 min}\n", 9, 2);
    assert_non_null(strstr(chosen(&study)->sentence, "while copying the files"));
    for (size_t i = 0; i < study.it->change_count; i++)
        for (size_t j = 0; j < study.it->changes[i].value_count; j++)
            assert_null(strstr(study.it->changes[i].values[j].key, "streaming"));
    end(&study);
}

/* 1,700 round trips of 30 ms: what a slow line does. */
static void round_trips_are_named(void **state)
{
    (void)state;
    struct study study =
        explained(SHARE_OF("") "network: {round_trip: 30 ms}\n" LOGONS("") "run: {length: 10 min}\n", 4, 2);
    const struct explain_cell *cell = chosen(&study);
    assert_int_equal(cell->parts[0].cause, CAUSE_NETWORK);
    assert_non_null(strstr(cell->sentence, "round trips"));
    assert_near_relative(cell->parts[0].s, cell->requests * 0.030, 0.05);
    const struct explain_change *lifted = change_of(&study, "round_trip");
    assert_non_null(lifted);
    assert_true(lifted->saved > 0.6);
    assert_true(change_of(&study, "nic") == NULL || change_of(&study, "nic")->saved < 0.01);
    end(&study);
}

/* Lesson 1: 5 % of the credits of 256 GiB last 601,920 / (3,400 - 656) s. */
static void credits_run_out_when_they_should(void **state)
{
    (void)state;
    struct study study = explained(
        "experiment: known\n"
        "stores: {share: {tier: azure-files/premium, rules: 2021-01, size: 256 GiB, initial_credits: 5 %}}\n"
        "hosts: {clients: {count: 1}}\n"
        "workloads: {load: {kind: generator, pattern: {block_size: 4 KiB, read_share: 100 %}, threads: 4,\n"
        "  outstanding: 32, rate: 13.28125 MiB/s, files: 8, file_size: 1 GiB}}\n"
        "run: {length: 6 min}\n",
        0, 1);
    const struct explain_cell *cell = chosen(&study);
    assert_int_equal(cell->subject, SUBJECT_THROUGHPUT);
    assert_int_equal(cell->credits_count, 1);
    const struct explain_credits *credits = &cell->credits[0];
    assert_true(credits->full == 12038400);
    const double lasts_s = credits->full * 0.05 / (3400 - credits->base_iops);
    assert_int_equal(credits->ran_out_minute, (ptrdiff_t)(lasts_s / 60));
    assert_near_relative(credits->full_after_idle_s, credits->full / credits->base_iops, 1e-3);
    assert_int_equal(cell->spell_count, 2);
    assert_int_equal(cell->spells[0].bound, RESPONSE_SUCCESS);
    assert_int_equal(cell->spells[1].bound, RESPONSE_SHARE_IOPS_THROTTLING);
    assert_int_equal(cell->spells[1].from_minute, credits->ran_out_minute);
    end(&study);
}

static void no_more_than_twice_the_run(void **state)
{
    (void)state;
    static const struct {
        const char *run;
        size_t budget;
    } cases[] = {{"run: {length: 1 min, replications: 1}\n", 1},
                 {"run: {length: 1 min, replications: 3}\n", 5},
                 {"vary: {workloads.logons.users: [1, 2, 3]}\nrun: {length: 1 min, replications: 1}\n", 3},
                 {"run: {length: 1 min, replications: 100}\n", 10}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        const struct explain_request request = {.tries = -1};
        snprintf(text, sizeof text, "%s%s", SHARE_OF("") LOGONS(""), cases[i].run);
        struct study study = begin(text, &request);
        assert_no_errors(study.problems);
        assert_int_equal(study.it->budget, cases[i].budget);
        end(&study);
    }
}

static const char three_cells[] =
    SHARE_OF("") LOGONS("") "vary: {workloads.logons.users: [1, 2, 3]}\nrun: {length: 1 min}\n";

static void cells_are_chosen(void **state)
{
    (void)state;
    const char *const two[] = {"users=2"};
    struct study study = begin(three_cells, &(struct explain_request){.only = two, .only_count = 1});
    assert_non_null(study.it);
    assert_int_equal(study.it->cell_count, 1);
    assert_int_equal(study.it->numbers[0], 1);
    end(&study);

    study = begin(three_cells, &(struct explain_request){.cell = 3});
    assert_non_null(study.it);
    assert_int_equal(study.it->numbers[0], 2);
    end(&study);

    static const char *const wrong[] = {"user=2", "users=4", "users"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        study = begin(three_cells, &(struct explain_request){.only = &wrong[i], .only_count = 1});
        assert_null(study.it);
        assert_true(problems_errors(study.problems) > 0);
        end(&study);
    }
    study = begin(three_cells, &(struct explain_request){.cell = 4});
    assert_null(study.it);
    end(&study);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const char text[] = SHARE_OF(", egress: 4 MiB/s") LOGONS("") "run: {length: 5 min}\n";
    struct study one = explained(text, 3, 1), two = explained(text, 3, 2);
    char *a = json_of(one.it), *b = json_of(two.it);
    assert_string_equal(a, b);
    free(a);
    free(b);
    end(&one);
    end(&two);
}

static void durations(void **state)
{
    (void)state;
    static const struct {
        double s;
        const char *text;
    } cases[] = {{0.0123, "0.0123 s"},
                 {7.25, "7.2 s"},
                 {680, "11 min 20 s"},
                 {7500, "2 h 5 min"},
                 {119.7, "2 min 0 s"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[EXPLAIN_TEXT];
        explain_duration(text, cases[i].s);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(egress_is_named_and_lifting_it_helps),
        cmocka_unit_test(iops_are_named),
        cmocka_unit_test(an_account_is_lifted_in_all_its_shares),
        cmocka_unit_test(the_machine_of_a_file_server_is_lifted),
        cmocka_unit_test(the_volumes_of_fsx_are_lifted),
        cmocka_unit_test(a_lock_is_named_and_what_is_done_about_it),
        cmocka_unit_test(nothing_is_tried_that_the_engine_does_not_ask_for),
        cmocka_unit_test(round_trips_are_named),
        cmocka_unit_test(credits_run_out_when_they_should),
        cmocka_unit_test(no_more_than_twice_the_run),
        cmocka_unit_test(cells_are_chosen),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(durations),
    };
    return RUN_TESTS(tests);
}
