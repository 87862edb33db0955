/* Reading experiments: where values come from, cells, and every mistake with its message and place. */
#include "tests/support/check.h"
#include "tests/support/open_text.h"
#include "tests/support/problems.h"

#define HEAD   "experiment: x\n"
#define SHARE  "stores: {p: {tier: azure-files/premium, size: 5 TiB}}\n"
#define LOGONS "workloads: {logons: {users: 10}}\n"

static struct experiment *open_fine(const char *text, const struct experiment_options *options)
{
    struct problems *problems = problems_create();
    struct experiment *experiment = open_text(text, options, problems);
    assert_no_errors(problems);
    assert_non_null(experiment);
    problems_destroy(problems);
    return experiment;
}

static const struct test_share *share_of(const struct experiment *experiment, size_t cell)
{
    return experiment_cell(experiment, cell)->scenario->stores[0].settings;
}

static const struct test_logons *logons_of(const struct experiment *experiment, size_t cell)
{
    return experiment_cell(experiment, cell)->scenario->workloads[0].settings;
}

static void a_short_file_is_complete(void **state)
{
    (void)state;
    struct experiment *experiment = open_fine(HEAD SHARE LOGONS, NULL);
    const struct scenario *scenario = experiment_cell(experiment, 0)->scenario;
    const struct test_share *share = share_of(experiment, 0);
    const struct test_logons *logons = logons_of(experiment, 0);
    const struct test_hosts *hosts = scenario->hosts[0].settings;
    const struct test_network *network = scenario->network;

    assert_int_equal(experiment_cell_count(experiment), 1);
    assert_string_equal(experiment_title(experiment), "x");
    assert_string_equal(experiment_question(experiment), "");
    assert_int_equal(share->size_bytes, INT64_C(5) << 40);    /* the file */
    assert_true(share->iops == 3000);                         /* the latest rules of the entry */
    assert_true(share->egress_bytes_per_s == 60 * 1048576.0); /* the entry */
    assert_int_equal(share->latency.create_ns, 4000000);      /* the entry over the defaults of the table */
    assert_int_equal(share->latency.read_ns, 2000000);        /* the defaults of the group's own table */
    assert_int_equal(share->files, 0);                        /* optional */
    assert_int_equal(logons->users, 10);
    assert_int_equal(logons->arrivals.window_ns, INT64_C(3600000000000));
    assert_string_equal(logons->store, "p"); /* the only one */
    assert_string_equal(logons->hosts, "hosts");
    assert_int_equal(logons->profile.files, 100); /* an entry that the defaults choose */
    assert_true(logons->factor == -1.5);
    assert_string_equal(scenario->hosts[0].name, "hosts");
    assert_int_equal(hosts->count, 30);
    assert_true(hosts->nic_bytes_per_s == 12.5e9 / 8);
    assert_int_equal(network->round_trip_ns, 170000);
    assert_int_equal(experiment_run(experiment)->replications, 20);
    experiment_close(experiment);
}

static void settings_of_all_types(void **state)
{
    (void)state;
    struct experiment *experiment = open_fine(
        HEAD "title: A title\nquestion: Why?\n"
             "stores:\n  p: {tier: azure-files/hot, pooled: on, files: '1,000', latency: {read: 1 ms}}\n"
             "  d: {kind: disk, iops: 200 IOPS}\n"
             "hosts: {a: {count: 2, nic: 1 Gbit/s}, b: azure/f16}\n"
             "workloads:\n  morning:\n    kind: logons\n    users: 1,500\n    store: d\n    hosts: b\n"
             "    arrivals: {pattern: poisson}\n    profile: {from: large, files: 7}\n    patterns: "
             "['*.ost', b]\n    label: hi\n",
        NULL);
    const struct scenario *scenario = experiment_cell(experiment, 0)->scenario;
    const struct test_logons *logons = logons_of(experiment, 0);
    assert_true(isinf(share_of(experiment, 0)->iops));
    assert_true(share_of(experiment, 0)->pooled);
    assert_int_equal(share_of(experiment, 0)->files, 1000);
    assert_int_equal(share_of(experiment, 0)->latency.read_ns, 1000000);
    assert_string_equal(scenario->stores[1].kind->name, "disk");
    assert_string_equal(scenario->workloads[0].name, "morning");
    assert_int_equal(logons->users, 1500);
    assert_string_equal(logons->store, "d");
    assert_int_equal(logons->arrivals.pattern, 1);
    assert_int_equal(logons->profile.files, 7);
    assert_int_equal(logons->profile.size_bytes, INT64_C(4700000000));
    assert_int_equal(logons->patterns.count, 2);
    assert_string_equal(logons->patterns.texts[0], "*.ost");
    assert_string_equal(logons->label, "hi");
    experiment_close(experiment);
}

static void rules_are_chosen_by_date(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        double iops;
    } cases[] = {{"2019-06", 100},     {"2020-06-30", 100}, {"2020-07", 400},
                 {"2021-01", 400},     {"2021-11", 3000},   {"2021-11-14", 400},
                 {"2021-11-15", 3000}, {"2030-01", 3000},   {"B", 400}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 HEAD "stores: {p: {tier: azure-files/premium, size: 5 TiB, rules: %s}}\n" LOGONS,
                 cases[i].rules);
        struct experiment *experiment = open_fine(text, NULL);
        assert_true(share_of(experiment, 0)->iops == cases[i].iops);
        experiment_close(experiment);
    }
}

static void a_grid_varies_the_first_key_slowest(void **state)
{
    (void)state;
    struct experiment *experiment =
        open_fine(HEAD SHARE LOGONS "vary:\n  stores.p.tier: [azure-files/premium, azure-files/hot]\n"
                                    "  workloads.logons.users: [10, 20, 30]\n  hosts.hosts.count: [5]\n",
                  NULL);
    assert_int_equal(experiment_cell_count(experiment), 6);
    for (size_t i = 0; i < 6; i++) {
        const struct cell *cell = experiment_cell(experiment, i);
        assert_int_equal(cell->assignment_count, 3);
        assert_string_equal(cell->assignments[0].label, "tier");
        assert_string_equal(cell->assignments[0].value, i < 3 ? "azure-files/premium" : "azure-files/hot");
        assert_int_equal(logons_of(experiment, i)->users, 10 * (int64_t)(i % 3 + 1));
        assert_true(isinf(share_of(experiment, i)->iops) == (i >= 3));
        assert_int_equal(((const struct test_hosts *)cell->scenario->hosts[0].settings)->count, 5);
    }
    /* cells that agree on a store share it */
    assert_ptr_equal(share_of(experiment, 0), share_of(experiment, 2));
    experiment_close(experiment);
}

static void labels_are_the_shortest_tails(void **state)
{
    (void)state;
    struct experiment *experiment = open_fine(
        HEAD "stores: {p: {tier: azure-files/premium, size: 5 TiB}, q: {tier: azure-files/hot}}\n"
             "workloads: {logons: {users: 10, store: p}}\n"
             "vary: {stores.p.size: [1 TiB], stores.q.size: [2 TiB], workloads.logons.users: [3]}\n",
        NULL);
    const struct assignment *assignments = experiment_cell(experiment, 0)->assignments;
    assert_string_equal(assignments[0].label, "p.size");
    assert_string_equal(assignments[1].label, "q.size");
    assert_string_equal(assignments[2].label, "users");
    experiment_close(experiment);
}

static void maps_and_bare_entries_can_be_varied(void **state)
{
    (void)state;
    struct experiment *experiment = open_fine(
        HEAD SHARE LOGONS "vary:\n  workloads.logons.profile: [small, large, {from: small, files: 5}]\n",
        NULL);
    assert_int_equal(logons_of(experiment, 0)->profile.files, 100);
    assert_int_equal(logons_of(experiment, 1)->profile.files, 2000);
    assert_int_equal(logons_of(experiment, 2)->profile.files, 5);
    assert_string_equal(experiment_cell(experiment, 2)->assignments[0].value, "{from: small, files: 5}");
    experiment_close(experiment);
}

static void options_come_last(void **state)
{
    (void)state;
    static const char *const sets[] = {"workloads.logons.users=77",
                                       "stores.p={tier: azure-files/hot, size: 1 TiB}",
                                       "workloads.logons.profile.files=3"};
    const struct experiment_options options = {.sets = sets, .set_count = 3, .replications = 4, .seed = 9};
    struct experiment *experiment =
        open_fine(HEAD SHARE "workloads: {logons: {users: 10, profile: large}}\n"
                             "vary: {workloads.logons.users: [1, 2]}\nrun: {seed: 3}\n",
                  &options);
    assert_int_equal(experiment_cell_count(experiment), 1); /* a varied key that is set is varied no more */
    assert_int_equal(logons_of(experiment, 0)->users, 77);
    assert_int_equal(share_of(experiment, 0)->size_bytes, INT64_C(1) << 40);
    assert_int_equal(logons_of(experiment, 0)->profile.files, 3);
    assert_int_equal(logons_of(experiment, 0)->profile.size_bytes, INT64_C(4700000000));
    assert_int_equal(experiment_run(experiment)->replications, 4);
    assert_int_equal(experiment_run(experiment)->seed, 9);
    experiment_close(experiment);
}

static void the_hash_follows_what_matters(void **state)
{
    (void)state;
    struct experiment *one = open_fine(HEAD SHARE LOGONS, NULL);
    struct experiment *same = open_fine("experiment: y\ntitle: other\n" LOGONS
                                        "stores: {p: {tier: azure-files/premium, size: 5120 GiB}}\n",
                                        NULL);
    struct experiment *other = open_fine(HEAD SHARE LOGONS "run: {seed: 2}\n", NULL);
    assert_int_equal(strlen(experiment_hash(one)), 64);
    assert_string_equal(experiment_hash(one), experiment_hash(same));
    assert_string_not_equal(experiment_hash(one), experiment_hash(other));
    experiment_close(one);
    experiment_close(same);
    experiment_close(other);
}

static void assumptions_are_told_once(void **state)
{
    (void)state;
    struct experiment *experiment = open_fine(
        HEAD SHARE LOGONS
        "vary: {stores.p.tier: [azure-files/premium, azure-files/hot], workloads.logons.users: [1, 2]}\n",
        NULL);
    size_t count;
    const struct assumption *assumptions = experiment_assumptions(experiment, &count);
    static const char *const expected[] = {"share.latency.read", "share.latency.create"};
    assert_int_equal(count, 2); /* how it is run (replications, seed) is none */
    for (size_t i = 0; i < count; i++)
        assert_string_equal(assumptions[i].parameter, expected[i]);
    assert_string_equal(assumptions[0].status, "calibrated");
    assert_string_equal(assumptions[0].source, "A page, 2021");
    assert_string_equal(assumptions[1].value, "5 ms");
    experiment_close(experiment);
}

static void the_full_listing_is_yaml_with_origins(void **state)
{
    (void)state;
    struct experiment *experiment =
        open_fine(HEAD "title: 'a: b'\n" SHARE LOGONS "vary: {workloads.logons.users: [1, 2]}\n", NULL);
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    experiment_print_full(experiment, stream);
    fclose(stream);
    static const char *const expected[] = {
        "title: \"a: b\"\n",
        "stores.p.size: 5 TiB ",
        "# x.yaml:3\n",
        "stores.p.rules: C",
        "stores.p.iops: 3,000 IOPS ",
        "# azure-files/premium, rules C; published: A page, 2021\n",
        "# stores.p.files: ",
        "# not set\n",
        "stores.p.latency.read: 2 ms ",
        "# default; calibrated: A page, 2021\n",
        "cells:\n  # cell 1\n  - workloads.logons.users: 1 ",
        "  # cell 2\n  - workloads.logons.users: 2 ",
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (strstr(text, expected[i]) == NULL)
            fail_msg("'%s' is not in\n%s", expected[i], text);
    free(text);
    experiment_close(experiment);
}

static const struct {
    const char *text, *expected;
} mistakes[] = {
    {SHARE LOGONS, "x.yaml: error: an experiment has a name of a-z, 0-9 and -"},
    {"experiment: My Test\n" SHARE LOGONS, "x.yaml:1:13: error: an experiment has a name"},
    {"- a\n", "x.yaml:1:1: error: an experiment is a map of keys"},
    {HEAD SHARE LOGONS "stors: 1\n",
     "x.yaml:4:1: error: unknown key 'stors' of an experiment. Did you mean stores?"},
    {HEAD SHARE, "x.yaml: error: there are no workloads: nothing would happen"},
    {HEAD "stores: [a]\n" LOGONS, "x.yaml:2:9: error: stores is a map: a name each"},
    {HEAD "stores: {1a: {tier: azure-files/hot}}\n" LOGONS,
     "x.yaml:2:10: error: '1a' cannot be a name in stores"},
    {HEAD "stores: {p: {size: 1 TiB}}\n" LOGONS, "x.yaml:2:10: error: store p needs a tier of the catalogue, "
                                                 "e.g. tier: azure-files/premium, or a kind (share, disk)"},
    {HEAD "stores: {p: {tier: azure-files/premum, size: 1 TiB}}\n" LOGONS,
     "x.yaml:2:20: error: 'azure-files/premum' is not a tier of the catalogue. Did you mean "
     "azure-files/premium?"},
    {HEAD "stores: {p: {kind: dsk}}\n" LOGONS,
     "x.yaml:2:20: error: 'dsk' is not a kind of store (share, disk). Did you mean disk?"},
    {HEAD "stores: {p: {tier: azure-files/hot, kind: disk}}\n" LOGONS,
     "x.yaml:2:43: error: azure-files/hot is a share, not a disk; leave kind out"},
    {HEAD "stores: {p: {tier: azure-files/premium, size: 5 TB}}\n" LOGONS,
     "x.yaml:2:47: error: '5 TB' is 5,000,000,000,000 bytes; this tier is sold in GiB. Did you mean 5 TiB?\n"
     "    2 | stores: {p: {tier: azure-files/premium, size: 5 TB}}\n"
     "      |                                               ^~~~\n"},
    {HEAD "stores: {p: {tier: azure-files/premium}}\n" LOGONS,
     "x.yaml:2:10: error: p needs the key size (Provisioned size), e.g. size: 10 TiB"},
    {HEAD "stores: {p: {tier: azure-files/premium, size: 5}}\n" LOGONS,
     "x.yaml:2:47: error: '5' has no unit; a size is"},
    {HEAD "stores: {p: {tier: azure-files/premium, size: 5 min}}\n" LOGONS,
     "x.yaml:2:47: error: '5 min' is not a size"},
    {HEAD "stores: {p: {tier: azure-files/premium, size: -5 TiB}}\n" LOGONS, "error: '-5 TiB' is negative"},
    {HEAD "stores: {p: {tier: azure-files/premium, size: .nan}}\n" LOGONS,
     "error: '.nan' is not a finite number"},
    {HEAD "stores: {p: {tier: azure-files/premium, size: 1e300 TiB}}\n" LOGONS,
     "error: '1e300 TiB' is too large"},
    {HEAD "stores: {p: {tier: azure-files/premium, size: 1 MiB}}\n" LOGONS,
     "error: '1 MiB' is out of range: size must be between 1 GiB and 128 TiB"},
    {HEAD "stores: {p: {tier: azure-files/premium, size: unlimited}}\n" LOGONS,
     "error: size cannot be unlimited"},
    {HEAD "stores: {p: {tier: azure-files/premium, size: 1 TiB, siz: 2}}\n" LOGONS,
     "x.yaml:2:54: error: unknown key 'siz' under p. Did you mean size?"},
    {HEAD "stores: {p: {tier: azure-files/premium, size: 1 TiB, rules: 2018-01}}\n" LOGONS,
     "x.yaml:2:61: error: the rules of azure-files/premium begin with 2019-06"},
    {HEAD "stores: {p: {tier: azure-files/premium, size: 1 TiB, rules: Z}}\n" LOGONS,
     "error: 'Z' is neither a date (2021-01 or 2021-01-27) nor the name of rules of azure-files/premium (A "
     "from 2019-06"},
    {HEAD "stores: {p: {tier: azure-files/hot, rules: 2021-01}}\n" LOGONS,
     "error: azure-files/hot has no dated rules"},
    {HEAD "stores: {p: {tier: azure-files/hot, latency: {read: 9 ms}}}\n" LOGONS,
     "x.yaml:2:53: error: reading is slower than opening"},
    {HEAD "stores: {p: {tier: azure-files/hot, latency: {create: 1 ms}}}\n" LOGONS,
     "error: p: reading is slower than opening (latency.read is 2 ms here, by the catalogue)"},
    {HEAD "stores: {p: {tier: azure-files/hot, latency: [1 ms]}}\n" LOGONS,
     "x.yaml:2:46: error: latency is a map of settings"},
    {HEAD "stores: {p: {tier: azure-files/hot, latency: 3 ms}}\n" LOGONS,
     "error: latency is a map of settings"},
    {HEAD SHARE "workloads: {logins: {users: 1}}\n",
     "x.yaml:3:13: error: 'logins' is not a kind of workload (logons). Did you mean logons?"},
    {HEAD SHARE "workloads:\n  logons:\n    factor: 1\n  users: 10\n",
     "x.yaml:6:3: error: 'users' is not a workload here; did you mean it to belong to the workload above "
     "(indent "
     "it)?"},
    {HEAD SHARE "workloads:\n  users: 10\n",
     "x.yaml:4:3: error: 'users' is not a workload here; a workload is a map of its settings below its name"},
    {HEAD SHARE "workloads: {morning: {users: 10}}\n",
     "x.yaml:3:13: error: the workload 'morning' does not say its kind: add `kind: logons`"},
    {HEAD SHARE "workloads: {morning: }\n", "the workload 'morning' does not say its kind"},
    {HEAD SHARE "workloads: {morning: {kind: boot, users: 10}}\n",
     "x.yaml:3:29: error: 'boot' is not a kind of workload; there is logons"},
    {HEAD SHARE "workloads: {logons: {users: [1, 2]}}\n",
     "x.yaml:3:29: error: users is one value, e.g. users: 1,500, not a list; to compare values list them "
     "under vary"},
    {HEAD SHARE "workloads: {logons: {users: }}\n",
     "x.yaml:3:29: error: users has no value; write e.g. users: 1,500"},
    {HEAD SHARE "workloads: {logons: }\n",
     "x.yaml:3:13: error: logons needs the key users (Users), e.g. users: 1,500"},
    {HEAD SHARE "workloads: {logons: {users: 0}}\n",
     "error: '0' is out of range: users must be between 1 and 100,000"},
    {HEAD SHARE "workloads: {logons: {users: 5, factor: -3}}\n",
     "error: '-3' is out of range: factor must be between -2 and 2"},
    {HEAD SHARE "workloads: {logons: {users: 5, redirected: 101 %}}\n",
     "out of range: redirected must be between 0 and 100 %"},
    {HEAD SHARE "workloads: {logons: {users: 5, redirected: 0.5}}\n", "'0.5' has no unit; a fraction is"},
    {HEAD SHARE "workloads: {logons: {users: 5, arrivals: {pattern: poison}}}\n",
     "error: 'poison' is not a pattern (even, poisson, curve, file). Did you mean poisson?"},
    {HEAD SHARE "workloads: {logons: {users: 5, store: q}}\n",
     "x.yaml:3:39: error: there is no store 'q'; there is p"},
    {HEAD SHARE "workloads: {logons: {users: 5, hosts: host}}\n",
     "error: there is no group of hosts 'host'. Did you mean hosts?"},
    {HEAD LOGONS, "x.yaml:2:13: error: logons needs the key store, the name of a store"},
    {HEAD "stores: {p: azure-files/hot, q: azure-files/hot}\n" LOGONS,
     "error: logons needs the key store, the name of a store; there is p, q"},
    {HEAD SHARE "workloads: {logons: {users: 5, profile: tiny}}\n",
     "error: 'tiny' is not in the catalogue of profiles; there is small, large"},
    {HEAD SHARE "hosts: {count: 5}\n" LOGONS,
     "x.yaml:3:9: error: 'count' is a setting of a group of hosts; name the group"},
    {HEAD SHARE LOGONS "vary: {workloads.logon.users: [1]}\n",
     "x.yaml:4:8: error: there is no 'logon' under workloads. Did you mean logons?"},
    {HEAD SHARE LOGONS "vary: {workloads.logons.user: [1]}\n",
     "x.yaml:4:8: error: unknown key 'user' under logons. Did you mean users?"},
    {HEAD SHARE LOGONS "vary: {users: [1]}\n",
     "x.yaml:4:8: error: 'users' is not a setting: write the way to it"},
    {HEAD SHARE LOGONS "vary: {workloads.logons.users: 5}\n", "x.yaml:4:32: error: list the values to vary"},
    {HEAD SHARE LOGONS "vary: {workloads.logons.users: []}\n", "error: list the values to vary"},
    {HEAD SHARE LOGONS "vary: {workloads.logons.users: [1, 2, x]}\n",
     "x.yaml:4:39: error: 'x' is not a count"},
    {HEAD SHARE LOGONS "vary: {workloads.logons.users: [20,000, 40,000]}\n",
     "error: '000' begins with 0: write a list"},
    {HEAD SHARE LOGONS "vary: {workloads.logons.users: [1, 1]}\n",
     "x.yaml:4:36: error: '1' stands in this list already"},
    {HEAD SHARE LOGONS "vary: {run.seed: [1, 2]}\n",
     "x.yaml:4:8: error: run.seed cannot be varied: all cells share it"},
    {HEAD SHARE LOGONS "vary: {table: nowhere.csv}\n", "nowhere.csv: error: cannot be read: No such file"},
    {HEAD SHARE LOGONS "vary: [a]\n", "x.yaml:4:7: error: vary is a map"},
    {HEAD SHARE LOGONS "run: {replications: 2,5}\n", "unknown key '5' under run"},
};

static void mistakes_are_explained(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct problems *problems = problems_create();
        struct experiment *experiment = open_text(mistakes[i].text, NULL, problems);
        if (experiment != NULL)
            fail_msg("accepted: %s", mistakes[i].text);
        assert_problem(problems, mistakes[i].expected);
        problems_destroy(problems);
    }
}

static void all_mistakes_are_told_at_once(void **state)
{
    (void)state;
    struct problems *problems = problems_create();
    assert_null(open_text(
        HEAD "stores: {p: {tier: azure-files/premium, size: 5 TB}}\n"
             "workloads: {logons: {users: -1, arrivals: {pattern: poison, window: 60 mni}, hello: 1}}\n"
             "vary: {workloads.logons.factor: [1, 9]}\n",
        NULL, problems));
    assert_int_equal(problems_errors(problems), 6);
    problems_destroy(problems);
}

/* One mistake is one message: what follows from it is not told, in no cell. */
static void mistakes_do_not_cascade(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD "stores: {p: {tier: azure-files/premum}}\n" LOGONS "vary: {workloads.logons.users: [1, 2]}\n",
        HEAD SHARE "workloads: {logons: {users: 1, profile: tiny}}\nvary: {workloads.logons.users: [1, 2]}\n",
        HEAD "stores: {p: {tier: azure-files/hot, latency: {read: 5}}}\n" LOGONS
             "vary: {stores.p.size: [1 TiB, 2 TiB]}\n",
        HEAD SHARE LOGONS "hosts: {h: {machine: none}}\nvary: {workloads.logons.users: [1, 2]}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct problems *problems = problems_create();
        assert_null(open_text(texts[i], NULL, problems));
        char *text = problems_text(problems);
        if (problems_errors(problems) != 1)
            fail_msg("%s%s", texts[i], text);
        free(text);
        problems_destroy(problems);
    }
}

static void decimal_units_of_a_store_are_doubted(void **state)
{
    (void)state;
    struct problems *problems = problems_create();
    struct experiment *experiment =
        open_text(HEAD "stores: {p: {tier: azure-files/premium, size: 5 TiB, egress: 60 MB/s}}\n"
                       "workloads: {logons: {users: 1, profile: {size: 30 MB}}}\n",
                  NULL, problems);
    assert_non_null(experiment);
    assert_int_equal(problems_warnings(problems), 1);
    assert_problem(
        problems,
        "x.yaml:2:62: warning: '60 MB/s' is 60,000,000 bytes a second; stores are measured in binary "
        "units. Did you mean 60 MiB/s?");
    experiment_close(experiment);
    problems_destroy(problems);
}

static void bad_sets_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *set, *expected;
    } cases[] = {
        {"users", "--set users: error: is written KEY=VALUE"},
        {"stores.q.size=1 TiB", "--set stores.q.size=1 TiB: error: there is no 'q' under stores"},
        {"workloads.logons.users=many", "--set workloads.logons.users=many: error: 'many' is not a count"},
        {"workloads.logons.usrs=1", "error: unknown key 'usrs' under logons. Did you mean users?"},
        {"workloads.logons..users=1", "is not a setting"},
        {"workloads.logons.users=[", "error: did not find expected node content"},
        {"a.b=1", "'a.b' is not a setting"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct problems *problems = problems_create();
        const struct experiment_options options = {.sets = &cases[i].set, .set_count = 1, .seed = -1};
        assert_null(open_text(HEAD SHARE LOGONS, &options, problems));
        assert_problem(problems, cases[i].expected);
        problems_destroy(problems);
    }
}

static void a_bad_catalogue_is_explained(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"tears: {}\n", "error: 'tears' is not a section of a catalogue"},
        {"tiers: {a: {values: {}}}\n", "error: a needs a kind: the kind of store it is"},
        {"tiers: {a: {kind: tape}}\n", "error: 'tape' is not a kind of store"},
        {"tiers: {a: {kind: share, values: {iops: 5}}}\n",
         "error: iops is written {value: ..., status: ..., source: ...}"},
        {"tiers: {a: {kind: share, values: {iops: {value: 5 MiB, status: published, source: s}}}}\n",
         "error: '5 MiB' is not a rate"},
        {"tiers: {a: {kind: share, values: {ipos: {value: 5 /s, status: published, source: s}}}}\n",
         "error: share has no parameter 'ipos'. Did you mean iops?"},
        {"tiers: {a: {kind: share, values: {latency.raed: {value: 5 ms, status: published, source: s}}}}\n",
         "error: share has no parameter 'latency.raed'. Did you mean latency.read?"},
        {"tiers: {a: {kind: share, values: {iops: {value: 5 /s, status: guessed, source: s}}}}\n",
         "error: a value has a status: published, derived, calibrated or assumed"},
        {"tiers: {a: {kind: share, values: {iops: {value: 5 /s, status: published}}}}\n",
         "error: iops needs a source"},
        {"tiers: {a: {kind: share, values: {iops: {value: 5 /s, status: assumed, note: one, two}}}}\n",
         "error: 'two' is taken for a key of iops; put a text that holds a comma in quotes"},
        {"tiers: {a: {kind: share, rules: [{name: A, from: 2021-01}, {name: B, from: 2020-01}]}}\n",
         "error: rules of a are listed oldest first"},
        {"tiers: {a: {kind: share, rules: [{name: A}]}}\n", "error: rules of a need a name and a date"},
        {"tiers: {a: {like: b}}\n", "error: 'b' is no entry of tiers so far to be like"},
        {"tiers: {abcd: {kind: share, values: {}}, b: {like: abdc}}\n", "Did you mean abcd?"},
        {"tiers: {a: {kind: share}, b: {like: a, without: [iops]}}\n", "error: a has no value 'iops' to be without"},
        {"tiers: {a: {kind: share}, b: {like: a, without: iops}}\n", "error: without is a list of keys of a"},
        {"tiers: {a: {kind: share, without: [iops]}}\n", "error: a is like nothing that it could be without"},
        {"tiers: {a: {kind: share, contradictions: [{about: iops, says: 5, source: s}]}}\n",
         "error: a contradiction has an about, a source, what it says, and what is used"},
        {"tiers: {a: {kind: share, contradictions: [{about: ipos, says: 5, source: s, used: 6}]}}\n",
         "error: a contradiction is about a parameter; share has no 'ipos'"},
        {"tiers: {a: {kind: share, contradictions: {about: iops}}}\n", "error: contradictions are a list of"},
        {"defaults: {sahre: {}}\n", "error: there is no parameter table 'sahre'"},
        {"profiles: {p: {kind: share}}\n", "error: 'share' is not a kind of store of this section"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct embedded_file files[] = {{"bad.yaml", cases[i].text, strlen(cases[i].text)},
                                              {NULL, NULL, 0}};
        const struct opening opening = {.vocabulary = test_vocabulary,
                                        .catalogue = files,
                                        .path = "x.yaml",
                                        .text = HEAD LOGONS,
                                        .length = strlen(HEAD LOGONS)};
        struct problems *problems = problems_create();
        assert_null(experiment_open_with(&opening, problems));
        assert_problem(problems, cases[i].expected);
        problems_destroy(problems);
    }
}

static void too_many_cells_are_refused(void **state)
{
    (void)state;
    char text[4096], *end = text + sprintf(text, HEAD SHARE LOGONS "vary:\n");
    static const char *const keys[] = {"workloads.logons.users", "hosts.hosts.count",
                                       "workloads.logons.profile.files"};
    for (size_t i = 0; i < 3; i++) {
        end += sprintf(end, "  %s: [1", keys[i]);
        for (int j = 2; j <= 30; j++)
            end += sprintf(end, ", %d", j);
        end += sprintf(end, "]\n");
    }
    struct problems *problems = problems_create();
    assert_null(open_text(text, NULL, problems));
    assert_problem(problems, "x.yaml:4:1: error: this makes more than 10000 cells");
    problems_destroy(problems);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_file_is_complete),
        cmocka_unit_test(settings_of_all_types),
        cmocka_unit_test(rules_are_chosen_by_date),
        cmocka_unit_test(a_grid_varies_the_first_key_slowest),
        cmocka_unit_test(labels_are_the_shortest_tails),
        cmocka_unit_test(maps_and_bare_entries_can_be_varied),
        cmocka_unit_test(options_come_last),
        cmocka_unit_test(the_hash_follows_what_matters),
        cmocka_unit_test(assumptions_are_told_once),
        cmocka_unit_test(the_full_listing_is_yaml_with_origins),
        cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(all_mistakes_are_told_at_once),
        cmocka_unit_test(mistakes_do_not_cascade),
        cmocka_unit_test(decimal_units_of_a_store_are_doubted),
        cmocka_unit_test(bad_sets_are_explained),
        cmocka_unit_test(a_bad_catalogue_is_explained),
        cmocka_unit_test(too_many_cells_are_refused),
    };
    return RUN_TESTS(tests);
}
