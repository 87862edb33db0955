/* A sensitivity study of a store whose every request takes the same time, so that the answers are known. */
#include "sim/experiment/compare/sensitivity.h"

#include "sim/experiment/read/opening.h"
#include "tests/support/check.h"
#include "tests/support/problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A load makes its requests one after the other, and each takes the round trip and `latency`. */
static const char null_store[] =
    "experiment: known\n"
    "stores: {profiles: {kind: 'null'}}\n"
    "workloads: {logons: {users: 3, arrivals: {window: 1 min}, profile: citrix-test-profile}}\n"
    "run: {length: 5 min, replications: 7}\n";

struct study {
    struct problems *problems;
    struct experiment *experiment;
    struct sensitivity *it; /* NULL: refused */
};

static struct sensitivity_request request_of(const char *const *ranges, size_t range_count,
                                             const char *const *only, size_t only_count)
{
    return (struct sensitivity_request){.ranges = ranges,
                                        .range_count = range_count,
                                        .only = only,
                                        .only_count = only_count,
                                        .factor = 2,
                                        .trajectories = 4,
                                        .levels = 4,
                                        .replications = 1,
                                        .confidence = 0.95};
}

static struct study begin(const char *text, int64_t seed, const struct sensitivity_request *request)
{
    char path[] = "/tmp/vdisim-sensitivity-XXXXXX";
    struct study study = {.problems = problems_create()};
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    const struct experiment_options options = {.seed = seed};
    study.experiment = experiment_open(path, &options, study.problems);
    assert_no_errors(study.problems);
    assert_non_null(study.experiment);
    unlink(path);
    study.it = sensitivity_create(study.experiment, request, study.problems);
    return study;
}

static void end(struct study *study)
{
    sensitivity_destroy(study->it);
    experiment_close(study->experiment);
    problems_destroy(study->problems);
}

static void execute(struct study *study, size_t jobs)
{
    char message[256] = "";
    assert_no_errors(study->problems);
    const struct run_options run = {.jobs = jobs};
    assert_int_equal(sensitivity_execute(study->it, &run, message, sizeof message), SENSITIVITY_DONE);
}

static const struct sensitivity_input *input_of(const struct sensitivity *it, const char *key)
{
    for (size_t i = 0; i < it->input_count; i++)
        for (size_t k = 0; k < it->inputs[i].key_count; k++)
            if (strcmp(it->inputs[i].keys[k], key) == 0)
                return &it->inputs[i];
    return NULL;
}

static char *json_of(const struct sensitivity *it)
{
    char *text = NULL;
    size_t size = 0;
    struct writer writer = {.file = open_memstream(&text, &size)};
    sensitivity_print_json(it, &writer);
    fclose(writer.file);
    return text;
}

static void known_effects(void **state)
{
    (void)state;
    const struct sensitivity_request request = request_of(NULL, 0, NULL, 0);
    struct study study = begin(null_store, -1, &request);
    execute(&study, 2);
    const struct sensitivity *it = study.it;
    assert_string_equal(it->metric, "profile_load.mean");

    const struct sensitivity_input *latency = input_of(it, "stores.profiles.latency");
    assert_ptr_equal(&it->inputs[it->order[0]], latency); /* it dominates */
    assert_string_equal(latency->low_text, "500 us");
    assert_string_equal(latency->high_text, "2 ms");
    /* The load time is requests x latency + the rest: half a millisecond less, one more. */
    const double at_low = it->base_value - latency->at_low, at_high = latency->at_high - it->base_value;
    assert_true(at_low > 0.1);
    assert_near_relative(at_high / at_low, 2.0, 1e-3);
    /* From place x the step of 2/3 of the range is a factor of 4^(2/3); the mean of its two kinds is known. */
    const double per_ms = at_high, step = pow(4, 2.0 / 3);
    const double from_low = per_ms * (0.5 * step - 0.5) * 1.5;
    const double from_third = per_ms * (2 - 2 / step) * 1.5;
    assert_true(latency->effect.mu > from_low * 0.99 && latency->effect.mu < from_third * 1.01);
    assert_near_relative(latency->effect.mu, latency->effect.mu_star, 1e-12);

    /* Common random numbers: what does not matter does so exactly. The peak is that of another pattern. */
    const struct sensitivity_input *peak = input_of(it, "workloads.logons.arrivals.peak");
    assert_true(peak->effect.mu_star == 0 && peak->effect.sigma == 0);
    assert_true(peak->at_low == it->base_value && peak->at_high == it->base_value);
    assert_string_equal(sensitivity_response(&peak->effect), "none");
    for (size_t i = 1; i < it->input_count; i++)
        assert_true(it->inputs[it->order[i - 1]].effect.mu_star >= it->inputs[it->order[i]].effect.mu_star);
    end(&study);
}

static void same_bytes_whatever_the_threads(void **state)
{
    (void)state;
    char *texts[3];
    const int64_t seeds[] = {1, 1, 2};
    const size_t jobs[] = {1, 3, 1};
    const struct sensitivity_request request = request_of(NULL, 0, NULL, 0);
    for (size_t i = 0; i < 3; i++) {
        struct study study = begin(null_store, seeds[i], &request);
        execute(&study, jobs[i]);
        texts[i] = json_of(study.it);
        end(&study);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_string_not_equal(texts[0], texts[2]);
    for (size_t i = 0; i < 3; i++)
        free(texts[i]);
}

static void inputs_by_default(void **state)
{
    (void)state;
    const struct sensitivity_request request = request_of(NULL, 0, NULL, 0);
    struct study study = begin(null_store, -1, &request);
    const struct sensitivity *it = study.it;
    assert_no_errors(study.problems);
    assert_null(input_of(it, "workloads.logons.users"));                  /* of the file */
    assert_null(input_of(it, "workloads.logons.updates.files_per_hour")); /* published */
    assert_null(input_of(it, "run.at_least"));
    assert_null(input_of(it, "workloads.logons.run_effect"));
    assert_int_equal(it->silenced_count, 1);
    assert_string_equal(it->silenced[0], "workloads.logons.run_effect");
    const struct sensitivity_input *peak = input_of(it, "workloads.logons.arrivals.peak");
    assert_string_equal(peak->high_text, "100 %"); /* not more than its row allows */
    const struct sensitivity_input *folders = input_of(it, "workloads.logons.profile.folders");
    assert_true(folders->low == 10 && folders->high == 40);
    assert_string_equal(folders->name, "profile.folders");
    size_t told = 0;
    for (size_t i = 0; i < it->unvaried_count; i++) {
        told += strcmp(it->unvaried[i].key, "network.bandwidth") == 0 &&
                strstr(it->unvaried[i].reason, "unlimited") != NULL;
        told += strcmp(it->unvaried[i].key, "workloads.logons.profile.path") == 0 &&
                strstr(it->unvaried[i].reason, "no number") != NULL;
        told += strcmp(it->unvaried[i].key, "workloads.logons.profile.pending_files") == 0 &&
                strstr(it->unvaried[i].reason, "is 0") != NULL;
    }
    assert_int_equal(told, 3);
    /* One run a point, not the seven of the file. */
    assert_int_equal(sensitivity_run_count(it), 4 * (it->input_count + 1) + 2 * it->input_count + 1);
    end(&study);
}

static const char two_tiers[] =
    "experiment: two-tiers\n"
    "stores:\n"
    "  profiles: {tier: azure-files/premium, size: 1 TiB}\n"
    "  other: {tier: azure-files/transaction-optimized, size: 5 TiB}\n"
    "workloads: {logons: {users: 3, store: profiles, redirection_store: other}}\n";

static const char *text_at(const struct sensitivity *it, size_t point, const char *key)
{
    const struct node *node = node_at_path(it->screened->cells[it->cells[point]].root, key);
    return node != NULL ? node->text : "";
}

/* One line of the catalogue is one unknown; different entries are several. */
static void shared_lines_move_together(void **state)
{
    (void)state;
    const struct sensitivity_request request = request_of(NULL, 0, NULL, 0);
    struct study study = begin(two_tiers, -1, &request);
    assert_no_errors(study.problems);
    const struct sensitivity_input *cv = input_of(study.it, "stores.profiles.service.cv");
    assert_non_null(cv);
    assert_int_equal(cv->key_count, 2);
    assert_string_equal(cv->keys[1], "stores.other.service.cv");
    const struct sensitivity_input *lanes = input_of(study.it, "stores.profiles.service.lanes");
    assert_int_equal(lanes->key_count, 1);
    /* Alone at its lower end: both are set, and nothing else. */
    const size_t point = study.it->design_count + 2 * (size_t)(cv - study.it->inputs);
    assert_string_equal(text_at(study.it, point, "stores.profiles.service.cv"), "0.25");
    assert_string_equal(text_at(study.it, point, "stores.other.service.cv"), "0.25");
    assert_string_equal(text_at(study.it, point, "stores.profiles.service.lanes"), "");
    assert_string_equal(text_at(study.it, point, "workloads.logons.run_effect"), "0");
    const size_t other = study.it->design_count + 2 * (size_t)(lanes - study.it->inputs);
    assert_string_not_equal(text_at(study.it, other, "stores.profiles.service.lanes"), "");
    assert_string_equal(text_at(study.it, other, "stores.other.service.lanes"), "");
    end(&study);
}

static void a_tail_that_is_not_unique_is_refused(void **state)
{
    (void)state;
    static const char *const ranges[] = {"size=1..2 TiB"};
    const struct sensitivity_request request = request_of(ranges, 1, NULL, 0);
    struct study study = begin(two_tiers, -1, &request);
    assert_null(study.it);
    assert_problem(study.problems, "'size' could be stores.profiles.size or stores.other.size");
    end(&study);
}

static void named_inputs(void **state)
{
    (void)state;
    static const char *const ranges[] = {"network.round_trip=0.1..0.4 ms",
                                         "workloads.logons.run_effect=0..0.5"};
    static const char *const only[] = {"users"};
    const struct sensitivity_request request = request_of(ranges, 2, only, 1);
    struct study study = begin(null_store, -1, &request);
    execute(&study, 2);
    const struct sensitivity *it = study.it;
    assert_int_equal(it->input_count, 3);
    assert_int_equal(it->silenced_count, 0);
    const struct sensitivity_input *trip = input_of(it, "network.round_trip");
    assert_true(trip->low == 1e5 && trip->high == 4e5 && trip->is_log);
    assert_string_equal(trip->status, "published");
    assert_true(trip->effect.mu > 0);
    const struct sensitivity_input *users = input_of(it, "workloads.logons.users");
    assert_true(users->low == 2 && users->high == 6); /* 1.5 rounds to a whole one */
    assert_string_equal(users->status, "file");
    const struct sensitivity_input *run_effect = input_of(it, "workloads.logons.run_effect");
    assert_false(run_effect->is_log);
    assert_true(run_effect->effect.mu_star > 0);
    end(&study);
}

/* A profile of files without a folder is refused; the other points are judged. */
static void contradictory_points_are_counted(void **state)
{
    (void)state;
    static const char *const ranges[] = {"profile.folders=0..30", "stores.profiles.latency=1..2 ms"};
    static const char *const only[] = {"stores.profiles.latency"};
    const struct sensitivity_request request = request_of(ranges, 2, only, 1);
    struct study study = begin(null_store, -1, &request);
    assert_non_null(study.it);
    assert_true(study.it->contradictions > 0);
    assert_non_null(strstr(study.it->contradiction, "there must be a folder"));
    execute(&study, 2);
    const struct sensitivity_input *folders = input_of(study.it, "workloads.logons.profile.folders");
    assert_true(isnan(folders->at_low) && !isnan(folders->at_high));
    assert_true(folders->effect.count < 4);
    const struct sensitivity_input *latency = input_of(study.it, "stores.profiles.latency");
    assert_true(latency->effect.mu > 0);
    char *json = json_of(study.it);
    assert_non_null(strstr(json, "\"at_low\": null"));
    free(json);
    end(&study);
}

/* Loads that outlast the run have no time: what is left is a bound. */
static void unfinished_points_are_marked(void **state)
{
    (void)state;
    static const char *const ranges[] = {"stores.profiles.latency=1 ms..300 ms"};
    static const char *const only[] = {"arrivals.peak"};
    const struct sensitivity_request request = request_of(ranges, 1, only, 1);
    struct study study = begin("experiment: slow\n"
                               "stores: {profiles: {kind: 'null'}}\n"
                               "workloads: {logons: {users: 20, arrivals: {window: 4 min}, profile: "
                               "citrix-test-profile}}\n"
                               "run: {length: 5 min}\n",
                               -1, &request);
    execute(&study, 2);
    const struct sensitivity_input *latency = input_of(study.it, "stores.profiles.latency");
    assert_false(study.it->base_is_bound);
    assert_false(latency->low_is_bound);
    assert_true(study.it->bound_count > 0);
    assert_true(latency->high_is_bound);
    assert_true(latency->bound_effects > 0);
    end(&study);
}

struct mistake {
    const char *range, *only, *expected;
};

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct mistake mistakes[] = {
        {"stores.profiles.latncy=1..2 ms", NULL,
         "is no setting of this cell. Did you mean stores.profiles.latency?"},
        {NULL, "mailbox.io_rat", "Did you mean mailbox.io_rate?"},
        {"stores.profiles.latency=2 ms..1 ms", NULL, "LOW (2 ms) is not below HIGH (1 ms)"},
        {"stores.profiles.latency=1 ms..1 ms", NULL, "is not below"},
        {"stores.profiles.latency=1..2", NULL, "unit"},
        {"stores.profiles.latency=1 MiB..2 MiB", NULL, "MiB"},
        {"stores.profiles.latency", NULL, "is written KEY=LOW..HIGH"},
        {"stores.profiles.latency=2 ms", NULL, "is written KEY=LOW..HIGH"},
        {"workloads.logons.profile.path=1..2", NULL, "is no number"},
        {NULL, "workloads.logons.profile.path", "cannot be varied: it is no number"},
        {NULL, "profile.pending_files", "cannot be varied: it is 0"},
        {"workloads.logons.arrivals.peak=50 %..150 %", NULL, "out of range"},
        {"run.length=1..2 min", NULL, "says how it is run and is no input"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        const struct mistake *mistake = &mistakes[i];
        const struct sensitivity_request request =
            request_of(&mistake->range, mistake->range != NULL, &mistake->only, mistake->only != NULL);
        struct study study = begin(null_store, -1, &request);
        if (study.it != NULL)
            print_error("accepted: %s %s\n", mistake->range, mistake->only);
        assert_null(study.it);
        assert_problem(study.problems, mistake->expected);
        end(&study);
    }
    struct sensitivity_request request = request_of(NULL, 0, NULL, 0);
    request.cell = 1;
    struct study study = begin(null_store, -1, &request);
    assert_null(study.it);
    assert_problem(study.problems, "there is no cell 2");
    end(&study);
}

static void an_unknown_metric_is_refused(void **state)
{
    (void)state;
    char message[256] = "";
    struct sensitivity_request request = request_of(NULL, 0, NULL, 0);
    request.metric = "profile_load.maen";
    struct study study = begin(null_store, -1, &request);
    const struct run_options run = {.jobs = 1};
    assert_int_equal(sensitivity_execute(study.it, &run, message, sizeof message), SENSITIVITY_REFUSED);
    assert_non_null(strstr(message, "Did you mean profile_load.mean?"));
    end(&study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_effects),
        cmocka_unit_test(same_bytes_whatever_the_threads),
        cmocka_unit_test(inputs_by_default),
        cmocka_unit_test(shared_lines_move_together),
        cmocka_unit_test(a_tail_that_is_not_unique_is_refused),
        cmocka_unit_test(named_inputs),
        cmocka_unit_test(contradictory_points_are_counted),
        cmocka_unit_test(unfinished_points_are_marked),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(an_unknown_metric_is_refused),
    };
    return RUN_TESTS(tests);
}
