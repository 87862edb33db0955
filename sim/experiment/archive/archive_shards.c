#include "sim/experiment/archive/archive_shards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One of the files. */
struct source {
    struct archive *archive;
    struct stat status;
    struct archive_run_info *runs;
    size_t run_count;
    const struct archive_run_info *newest; /* of its sharded runs */
};

/* Where a shard is. */
struct place {
    struct source *source; /* NULL: not found yet */
    const struct archive_run_info *info;
    struct archive_run *run;
};

struct archive_shards {
    struct keeper keeper; /* first, so that a keeper is the shards */
    struct source *sources;
    size_t source_count;
    struct place *places; /* [shard] */
    size_t shard_count;
    size_t replications;
};

static enum keeper_answer load(struct keeper *keeper, struct unit unit, bool records,
                               struct unit_outcome *outcome, char message[UNIT_MESSAGE_SIZE])
{
    struct archive_shards *shards = (struct archive_shards *)keeper;
    size_t shard = shard_of_unit(unit, shards->replications, shards->shard_count);
    struct keeper *kept = archive_run_keeper(shards->places[shard].run);
    return kept->operations->load(kept, unit, records, outcome, message);
}

static const struct keeper_operations operations = {load, NULL};

static enum archive_status out_of_memory(char message[UNIT_MESSAGE_SIZE])
{
    snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
    return ARCHIVE_FAILED;
}

/* The same file once more, under this or another name, is no news. */
static bool is_known(const struct archive_shards *shards, const struct stat *status)
{
    for (size_t i = 0; i < shards->source_count; i++)
        if (shards->sources[i].status.st_dev == status->st_dev &&
            shards->sources[i].status.st_ino == status->st_ino)
            return true;
    return false;
}

static enum archive_status open_source(struct archive_shards *shards, const char *path,
                                       char message[UNIT_MESSAGE_SIZE])
{
    struct source *source = &shards->sources[shards->source_count];
    struct stat status;
    if (stat(path, &status) == 0 && is_known(shards, &status))
        return ARCHIVE_FINE;
    enum archive_status answer = archive_open(path, ARCHIVE_READ, &source->archive, message);
    if (answer != ARCHIVE_FINE)
        return answer;
    shards->source_count++;
    source->status = status;
    answer = archive_runs(source->archive, &source->runs, &source->run_count, message);
    if (answer != ARCHIVE_FINE)
        return answer;
    for (size_t i = 0; i < source->run_count; i++)
        if (source->runs[i].shard.count > 0)
            source->newest = &source->runs[i];
    if (source->newest != NULL)
        return ARCHIVE_FINE;
    snprintf(message, UNIT_MESSAGE_SIZE,
             "'%.300s' holds no shard; those are made with `vdisim run FILE --shard I/N --archive SHARD`",
             path);
    return ARCHIVE_REFUSED;
}

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* False with what is different about b. */
static bool belong_together(const char *path_a, const struct archive_run_info *a, const char *path_b,
                            const struct archive_run_info *b, char message[UNIT_MESSAGE_SIZE])
{
    char what[512];
    if (!same(a->experiment, b->experiment))
        snprintf(what, sizeof what, "are of different experiments: '%.60s' and '%.60s'", a->experiment,
                 b->experiment);
    else if (a->shard.count != b->shard.count)
        snprintf(what, sizeof what, "are parts of different wholes: one of %zu shards and one of %zu",
                 a->shard.count, b->shard.count);
    else if (a->seed != b->seed)
        snprintf(what, sizeof what, "were run with different seeds: %lld and %lld", (long long)a->seed,
                 (long long)b->seed);
    else if (!same(a->hash, b->hash))
        snprintf(what, sizeof what, "are of different states of '%.60s': other values were set",
                 a->experiment);
    else if (a->replications != b->replications)
        snprintf(what, sizeof what, "have different numbers of replications: %zu and %zu", a->replications,
                 b->replications);
    else if (!same(a->version, b->version) || !same(a->commit, b->commit))
        snprintf(what, sizeof what, "were run by different versions of vdisim: %.40s %.60s and %.40s %.60s",
                 a->version, a->commit, b->version, b->commit);
    else if (!same(a->gsl_version, b->gsl_version) || !same(a->random_generator, b->random_generator))
        snprintf(what, sizeof what, "were run with different versions of GSL: %.40s and %.40s",
                 a->gsl_version, b->gsl_version);
    else
        return true;
    snprintf(message, UNIT_MESSAGE_SIZE, "'%.200s' and '%.200s' %s", path_a, path_b, what);
    return false;
}

static bool is_complete(const struct archive_run_info *info)
{
    return info->kept >= info->wanted;
}

/* The runs of an archive that are shards of the experiment of its newest; of each shard the newest that is complete,
 * or else the newest. */
static enum archive_status place_source(struct archive_shards *shards, struct source *source,
                                        char message[UNIT_MESSAGE_SIZE])
{
    char difference[UNIT_MESSAGE_SIZE];
    for (size_t i = 0; i < source->run_count; i++) {
        const struct archive_run_info *info = &source->runs[i];
        if (info->shard.count != shards->shard_count || info->shard.index >= shards->shard_count ||
            !belong_together("", source->newest, "", info, difference))
            continue;
        struct place *place = &shards->places[info->shard.index];
        if (place->source != NULL && place->source != source) {
            snprintf(message, UNIT_MESSAGE_SIZE,
                     "shard %zu of %zu is in both '%.200s' and '%.200s'; give one of them",
                     info->shard.index + 1, shards->shard_count, archive_path(place->source->archive),
                     archive_path(source->archive));
            return ARCHIVE_REFUSED;
        }
        if (place->source == NULL || is_complete(info) || !is_complete(place->info))
            *place = (struct place){source, info, NULL};
    }
    return ARCHIVE_FINE;
}

/* "shards 2, 4 and 5 of 5 are missing" */
static void name_missing(const struct archive_shards *shards, size_t missing, char message[UNIT_MESSAGE_SIZE])
{
    enum { NAMED_MOST = 40 };
    size_t named = 0,
           length = (size_t)snprintf(message, UNIT_MESSAGE_SIZE, missing == 1 ? "shard" : "shards");
    for (size_t i = 0; i < shards->shard_count && named < NAMED_MOST; i++) {
        if (shards->places[i].source != NULL)
            continue;
        const char *separator = named == 0 ? " " : named + 1 == missing ? " and " : ", ";
        length += (size_t)snprintf(message + length, UNIT_MESSAGE_SIZE - length, "%s%zu", separator, i + 1);
        named++;
    }
    if (named < missing)
        length +=
            (size_t)snprintf(message + length, UNIT_MESSAGE_SIZE - length, " and %zu more", missing - named);
    snprintf(message + length, UNIT_MESSAGE_SIZE - length, " of %zu %s missing", shards->shard_count,
             missing == 1 ? "is" : "are");
}

static enum archive_status check_places(const struct archive_shards *shards, char message[UNIT_MESSAGE_SIZE])
{
    size_t missing = 0;
    for (size_t i = 0; i < shards->shard_count; i++)
        missing += shards->places[i].source == NULL;
    if (missing > 0) {
        name_missing(shards, missing, message);
        return ARCHIVE_REFUSED;
    }
    for (size_t i = 0; i < shards->shard_count; i++) {
        const struct archive_run_info *info = shards->places[i].info;
        if (is_complete(info))
            continue;
        snprintf(message, UNIT_MESSAGE_SIZE,
                 "shard %zu of %zu is not finished: %zu of its %zu units are missing in '%.300s'; run it "
                 "again with "
                 "--resume",
                 i + 1, shards->shard_count, info->wanted - info->kept, info->wanted,
                 archive_path(shards->places[i].source->archive));
        return ARCHIVE_REFUSED;
    }
    return ARCHIVE_FINE;
}

static enum archive_status open_all(struct archive_shards *shards, const char *const *paths, size_t count,
                                    char message[UNIT_MESSAGE_SIZE])
{
    enum archive_status status = ARCHIVE_FINE;
    for (size_t i = 0; i < count && status == ARCHIVE_FINE; i++)
        status = open_source(shards, paths[i], message);
    if (status != ARCHIVE_FINE)
        return status;
    const struct source *first = &shards->sources[0];
    for (size_t i = 1; i < shards->source_count; i++) {
        const struct source *source = &shards->sources[i];
        if (!belong_together(archive_path(first->archive), first->newest, archive_path(source->archive),
                             source->newest, message))
            return ARCHIVE_REFUSED;
    }
    shards->shard_count = first->newest->shard.count;
    shards->replications = first->newest->replications;
    shards->places = calloc(shards->shard_count + 1, sizeof *shards->places);
    if (shards->places == NULL)
        return out_of_memory(message);
    for (size_t i = 0; i < shards->source_count && status == ARCHIVE_FINE; i++)
        status = place_source(shards, &shards->sources[i], message);
    if (status == ARCHIVE_FINE)
        status = check_places(shards, message);
    for (size_t i = 0; i < shards->shard_count && status == ARCHIVE_FINE; i++) {
        struct place *place = &shards->places[i];
        status = archive_run_open(place->source->archive, place->info->id, &place->run, message);
    }
    return status;
}

enum archive_status archive_shards_open(const char *const *paths, size_t count,
                                        struct archive_shards **shards, char message[UNIT_MESSAGE_SIZE])
{
    *shards = NULL;
    struct archive_shards *it = calloc(1, sizeof *it);
    if (it != NULL)
        it->sources = calloc(count + 1, sizeof *it->sources);
    if (it == NULL || it->sources == NULL) {
        free(it);
        return out_of_memory(message);
    }
    it->keeper.operations = &operations;
    enum archive_status status = open_all(it, paths, count, message);
    if (status == ARCHIVE_FINE)
        *shards = it;
    else
        archive_shards_close(it);
    return status;
}

void archive_shards_close(struct archive_shards *shards)
{
    if (shards == NULL)
        return;
    for (size_t i = 0; shards->places != NULL && i < shards->shard_count; i++)
        archive_run_release(shards->places[i].run);
    for (size_t i = 0; i < shards->source_count; i++) {
        archive_runs_free(shards->sources[i].runs, shards->sources[i].run_count);
        archive_close(shards->sources[i].archive);
    }
    free(shards->places);
    free(shards->sources);
    free(shards);
}

size_t archive_shards_count(const struct archive_shards *shards)
{
    return shards->shard_count;
}

struct archive *archive_shards_archive(const struct archive_shards *shards)
{
    return shards->places[0].source->archive;
}

int64_t archive_shards_run(const struct archive_shards *shards)
{
    return shards->places[0].info->id;
}

bool archive_shards_have_records(const struct archive_shards *shards)
{
    for (size_t i = 0; i < shards->shard_count; i++)
        if (shards->places[i].info->with_records < shards->places[i].info->wanted)
            return false;
    return true;
}

struct keeper *archive_shards_keeper(struct archive_shards *shards)
{
    return &shards->keeper;
}
