/* Which run is taken up again and why none is; and that an experiment comes back out of an archive whole. */
#include "sim/experiment/archive/archive_experiment.h"
#include "sim/experiment/archive/archive_shards.h"
#include "tests/support/made_archive.h"
#include "vdisim/version.h"

#include <gsl/gsl_version.h>

static const struct made_sizes sizes = {3, 0, 1, 1, 2, 0, true};

struct fixture {
    char folder[64], path[96];
    struct archive *archive;
};

static void set_up(struct fixture *it)
{
    make_place(it->folder, it->path);
    it->archive = open_fine(it->path, ARCHIVE_WRITE);
}

static void tear_down(struct fixture *it)
{
    archive_close(it->archive);
    remove_place(it->folder);
}

/* The id of the run begun; 0: refused. */
static int64_t begin(struct archive *archive, const char *text, const struct experiment_options *options,
                     struct shard shard, bool resume, char message[UNIT_MESSAGE_SIZE])
{
    struct experiment *experiment = open_small(text, options);
    struct archive_request request = {.experiment = experiment, .shard = shard, .resume = resume};
    struct archive_run *run;
    enum archive_status status = archive_run_begin(archive, &request, &run, message);
    int64_t id = status == ARCHIVE_FINE ? archive_run_id(run) : 0;
    if (status == ARCHIVE_FINE) {
        struct unit_outcome made = made_outcome(1, &sizes);
        save_fine(run, (struct unit){0, 0}, &made);
        unit_release(&made);
    }
    archive_run_release(run);
    experiment_close(experiment);
    return id;
}

#define WHOLE ((struct shard){0, 0})
#define SMALL_LONGER                                                                                         \
    "experiment: small\n" SMALL_STORES SMALL_LOGONS SMALL_VARY "run: {length: 6 min, replications: 4}\n"
#define SMALL_RETOLD "# the same\n" SMALL "title: Told otherwise\n"
#define OTHER        "experiment: other\n" SMALL_STORES SMALL_LOGONS "run: {length: 5 min, replications: 4}\n"

static void test_resume(void **state)
{
    (void)state;
    struct fixture it;
    set_up(&it);
    char message[UNIT_MESSAGE_SIZE];
    const struct experiment_options seed_2 = {.seed = 2}, more = {.seed = -1, .replications = 9};
    /* Into an empty archive it begins. */
    assert_int_equal(begin(it.archive, SMALL, NULL, WHOLE, true, message), 1);
    assert_string_equal(message, "");
    assert_int_equal(begin(it.archive, SMALL, NULL, WHOLE, true, message), 1);
    assert_string_equal(message, "resuming run 1: 1 units of it are finished");
    assert_int_equal(begin(it.archive, SMALL, NULL, WHOLE, false, message), 2);
    assert_string_equal(message, "");
    assert_int_equal(begin(it.archive, SMALL, NULL, WHOLE, true, message), 2);
    /* Other words and more replications are the same experiment. */
    assert_int_equal(begin(it.archive, SMALL_RETOLD, NULL, WHOLE, true, message), 2);
    assert_int_equal(begin(it.archive, SMALL, &more, WHOLE, true, message), 2);
    assert_int_equal(sql_number(it.path, "SELECT wanted FROM run WHERE id = 2"), 27);
    assert_int_equal(
        sql_number(it.path, "SELECT replications * 10 + asked_replications FROM run WHERE id = 2"), 99);
    /* These are not. */
    assert_int_equal(begin(it.archive, SMALL_LONGER, NULL, WHOLE, true, message), 0);
    assert_non_null(strstr(message, "since run 2 of 'small' the experiment has changed; leave out --resume"));
    assert_int_equal(begin(it.archive, SMALL, &seed_2, WHOLE, true, message), 0);
    assert_non_null(strstr(message, "since run 2 of 'small' the seed is another (1, now 2)"));
    assert_int_equal(begin(it.archive, OTHER, NULL, WHOLE, true, message), 0);
    assert_non_null(strstr(message, "it has no run of 'other'"));
    assert_int_equal(begin(it.archive, SMALL, NULL, (struct shard){1, 3}, true, message), 0);
    assert_non_null(strstr(message, "it was the whole and no shard"));
    assert_int_equal(begin(it.archive, SMALL, NULL, (struct shard){1, 3}, false, message), 3);
    assert_int_equal(begin(it.archive, SMALL, NULL, (struct shard){1, 3}, true, message), 3);
    assert_int_equal(begin(it.archive, SMALL, NULL, (struct shard){2, 3}, true, message), 0);
    assert_non_null(strstr(message, "it was shard 2 of 3"));
    assert_int_equal(begin(it.archive, SMALL, NULL, WHOLE, true, message), 2);
    assert_int_equal(sql_number(it.path, "SELECT count(*) FROM run"), 3);

    /* Neither is a run of another program. */
    static const struct {
        const char *change, *said;
    } others[] = {
        {"UPDATE run SET version = '0.0.9'", "the program is another (0.0.9 "},
        {"UPDATE run SET source_commit = 'abc'", " abc, now "},
        {"UPDATE run SET gsl_version = '2.5'", "GSL is another (2.5, now "},
    };
    char undo[300];
    snprintf(undo, sizeof undo, "UPDATE run SET version = '%s', source_commit = '%s', gsl_version = '%s'",
             VDISIM_VERSION, VDISIM_COMMIT, gsl_version);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        sql_do(it.path, others[i].change);
        assert_int_equal(begin(it.archive, SMALL, NULL, WHOLE, true, message), 0);
        assert_non_null(strstr(message, others[i].said));
        assert_null(strchr(message, '\n'));
        sql_do(it.path, undo);
        assert_int_equal(begin(it.archive, SMALL, NULL, WHOLE, true, message), 2);
    }
    tear_down(&it);
}

static void test_status(void **state)
{
    (void)state;
    struct fixture it;
    set_up(&it);
    char message[UNIT_MESSAGE_SIZE];
    struct experiment *experiment = open_small(SMALL, NULL);
    struct archive_run *run = begin_fine(it.archive, &(struct archive_request){.experiment = experiment});
    struct cell_plan plans[3] = {{.wanted = 4}, {.wanted = 4}, {.wanted = 4}};
    struct unit_result units[12] = {{.done = true}};
    struct result result = {.experiment = experiment,
                            .cell_count = 3,
                            .replications = 4,
                            .plans = plans,
                            .units = units,
                            .interrupted = true};
    assert_int_equal(archive_run_finish(run, &result, message), ARCHIVE_FINE);
    assert_int_equal(sql_number(it.path, "SELECT status = 'interrupted' AND finished >= started FROM run"),
                     1);
    result.interrupted = false;
    assert_int_equal(archive_run_finish(run, &result, message), ARCHIVE_FINE);
    assert_int_equal(sql_number(it.path, "SELECT status = 'finished' FROM run"), 1);
    assert_int_equal(archive_run_finish(run, NULL, message), ARCHIVE_FINE);
    assert_int_equal(sql_number(it.path, "SELECT status = 'interrupted' FROM run"), 1);
    archive_run_release(run);
    /* Begun again it runs again; the newest finished one is what a reader gets by default. */
    assert_int_equal(begin(it.archive, SMALL, NULL, WHOLE, true, message), 1);
    assert_int_equal(sql_number(it.path, "SELECT status = 'running' AND finished IS NULL FROM run"), 1);
    assert_int_equal(begin(it.archive, SMALL, NULL, WHOLE, false, message), 2);
    assert_int_equal(archive_run_open(it.archive, 0, &run, message), ARCHIVE_FINE);
    assert_int_equal(archive_run_id(run), 2);
    archive_run_release(run);
    sql_do(it.path, "UPDATE run SET status = 'finished' WHERE id = 1");
    assert_int_equal(archive_run_open(it.archive, 0, &run, message), ARCHIVE_FINE);
    assert_int_equal(archive_run_id(run), 1);
    archive_run_release(run);
    assert_int_equal(archive_run_open(it.archive, 5, &run, message), ARCHIVE_REFUSED);
    assert_non_null(strstr(message, "has no run 5"));
    assert_null(run);
    experiment_close(experiment);
    tear_down(&it);
}

static enum archive_status reopen(struct archive *archive, int64_t run, char message[UNIT_MESSAGE_SIZE],
                                  struct archive_experiment **experiment)
{
    struct problems *problems = problems_create();
    enum archive_status status = archive_experiment_open(archive, run, problems, experiment, message);
    problems_destroy(problems);
    return status;
}

/* With its options, cells and hash; a text that was touched is refused. */
static void test_experiment_comes_back(void **state)
{
    (void)state;
    struct fixture it;
    set_up(&it);
    char message[UNIT_MESSAGE_SIZE];
    const char *sets[] = {"workloads.logons.users=9", "stores.p.size=2 TiB"};
    const struct experiment_options options = {.sets = sets, .set_count = 2, .replications = 6, .seed = 77};
    const char *text =
        "experiment: small\n" SMALL_STORES SMALL_LOGONS "run: {length: 5 min, replications: 4}\n";
    struct experiment *experiment = open_small(text, &options);
    struct selection_request selection = {"profile_load.p95", 0.1 + 0.2, 0.95, 321};
    struct archive_request request = {.experiment = experiment, .selection = &selection};
    archive_run_release(begin_fine(it.archive, &request));

    struct archive_experiment *back;
    assert_int_equal(reopen(it.archive, 1, message, &back), ARCHIVE_FINE);
    const struct experiment *again = archive_experiment_of(back);
    assert_string_equal(experiment_hash(again), experiment_hash(experiment));
    assert_string_equal(experiment_path(again), "small.yaml");
    assert_int_equal(experiment_run(again)->seed, 77);
    assert_int_equal(experiment_run(again)->replications, 6);
    assert_int_equal(experiment_options(again)->set_count, 2);
    assert_string_equal(experiment_options(again)->sets[1], sets[1]);
    assert_int_equal(experiment_options(again)->replications, 6);
    const struct selection_request *selected = archive_experiment_selection(back);
    assert_non_null(selected);
    assert_string_equal(selected->metric, selection.metric);
    assert_true(selected->indifference == selection.indifference &&
                selected->confidence == selection.confidence);
    assert_int_equal(selected->at_most, 321);
    archive_experiment_close(back);

    sql_do(it.path, "UPDATE text SET text = replace(text, '12', '13')");
    assert_int_equal(reopen(it.archive, 1, message, &back), ARCHIVE_REFUSED);
    assert_non_null(strstr(message, "the text of 'small.yaml' is not what was kept"));
    assert_null(back);
    sql_do(it.path, "DELETE FROM text");
    assert_int_equal(reopen(it.archive, 1, message, &back), ARCHIVE_REFUSED);
    sql_do(it.path, "DELETE FROM input");
    assert_int_equal(reopen(it.archive, 1, message, &back), ARCHIVE_REFUSED);
    assert_non_null(strstr(message, "has no experiment file"));
    assert_int_equal(reopen(it.archive, 2, message, &back), ARCHIVE_REFUSED);
    experiment_close(experiment);
    tear_down(&it);
}

/* An experiment that reads otherwise today, or not at all. */
static void test_experiment_read_otherwise(void **state)
{
    (void)state;
    struct fixture it;
    set_up(&it);
    char message[UNIT_MESSAGE_SIZE];
    struct archive_experiment *back;
    assert_int_equal(begin(it.archive, SMALL, NULL, WHOLE, false, message), 1);
    sql_do(it.path, "UPDATE run SET hash = 'x', version = '0.0.9', source_commit = 'abc'");
    assert_int_equal(reopen(it.archive, 1, message, &back), ARCHIVE_REFUSED);
    assert_non_null(
        strstr(message, "is read as another experiment today; it was written by vdisim 0.0.9 abc"));
    sql_do(it.path, "INSERT INTO option VALUES (1, 'set', 0, 'stores.p.size=nonsense')");
    assert_int_equal(reopen(it.archive, 1, message, &back), ARCHIVE_REFUSED);
    assert_non_null(strstr(message, "cannot be read again as an experiment"));
    tear_down(&it);
}

/* A shard taken up with more replications has another part of the units, and does not count those of before. */
static void test_shard_with_more_replications(void **state)
{
    (void)state;
    struct fixture it;
    set_up(&it);
    char message[UNIT_MESSAGE_SIZE];
    struct experiment *experiment = open_small(SMALL, NULL);
    struct archive_request request = {.experiment = experiment, .shard = {0, 2}};
    struct archive_run *run = begin_fine(it.archive, &request);
    struct unit_outcome made = made_outcome(1, &sizes);
    for (size_t unit = 0; unit < 12; unit += 2)
        save_fine(run, (struct unit){unit / 4, unit % 4}, &made);
    assert_int_equal(sql_number(it.path, "SELECT kept * 100 + wanted FROM runs"), 606);
    archive_run_release(run);
    const struct experiment_options more = {.seed = -1, .replications = 5};
    struct experiment *longer = open_small(SMALL, &more);
    request = (struct archive_request){.experiment = longer, .shard = {0, 2}, .resume = true};
    run = begin_fine(it.archive, &request);
    /* 15 units, of which 8 are of this shard; it has 0 0, 0 2, 1 0, 1 2, 2 0, 2 2, and wants 0 0, 0 2, 0 4, 1 1,
     * 1 3, 2 0, 2 2, 2 4. */
    assert_int_equal(sql_number(it.path, "SELECT kept * 100 + wanted FROM runs"), 408);
    assert_int_equal(archive_run_finish(run, NULL, message), ARCHIVE_FINE);
    archive_run_release(run);
    struct archive_shards *shards;
    assert_int_equal(archive_shards_open(&(const char *){it.path}, 1, &shards, message), ARCHIVE_REFUSED);
    assert_non_null(strstr(message, "shard 2 of 2 is missing"));
    unit_release(&made);
    experiment_close(longer);
    experiment_close(experiment);
    tear_down(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_status),
        cmocka_unit_test(test_experiment_comes_back),
        cmocka_unit_test(test_experiment_read_otherwise),
        cmocka_unit_test(test_shard_with_more_replications),
    };
    return RUN_TESTS(tests);
}
