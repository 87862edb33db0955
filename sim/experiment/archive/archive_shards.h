/* The shards of one experiment, out of the archives they were kept in, as one keeper of the whole.
 *
 * Each archive gives its newest sharded run, and with it all shards of the same experiment that it holds. Refused
 * with one line: archives of different experiments, seeds, versions or counts of shards, a shard in two archives,
 * one that is missing or not finished. The order of the archives makes no difference.
 */
#ifndef VDISIM_ARCHIVE_SHARDS_H
#define VDISIM_ARCHIVE_SHARDS_H

#include "sim/experiment/archive/archive.h"

struct archive_shards;

enum archive_status archive_shards_open(const char *const *paths, size_t count,
                                        struct archive_shards **shards, char message[UNIT_MESSAGE_SIZE]);
void archive_shards_close(struct archive_shards *shards);

size_t archive_shards_count(const struct archive_shards *shards);

/* The archive and run of the first shard, of which the experiment can be read. */
struct archive *archive_shards_archive(const struct archive_shards *shards);
int64_t archive_shards_run(const struct archive_shards *shards);

/* Whether all units have their logons and minutes. */
bool archive_shards_have_records(const struct archive_shards *shards);

/* Valid until they are closed. It saves nothing. */
struct keeper *archive_shards_keeper(struct archive_shards *shards);

#endif
