/* Who loses what when one user has several sessions at once.
 *
 * Each session works on its own copy of what the store has. A save that replaces what another session saved since the
 * copy was taken loses that session's update; a save that is refused because the store's is newer loses its own. What is
 * copied is a number of items: files, or values of the registry.
 *
 *     last_writer_read(&writer, device, item);                      the session takes the store's copy
 *     last_writer_change(&writer, device, item, now_ns);
 *     if (last_writer_save(&writer, device, session, item, LATEST_CHANGE_WINS))
 *         ... the store takes it ...
 *
 * A device is one of the user's places to work, which has one session after the other; sessions are numbered over all of
 * them. Nothing is simulated here: times are given.
 */
#ifndef VDISIM_LAST_WRITER_H
#define VDISIM_LAST_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum last_writer_rule {
    LATEST_CHANGE_WINS, /* the time stamp decides: an older change does not replace a newer one */
    LATEST_SAVE_WINS,   /* whoever saves last */
};

struct last_writer_stored {
    uint32_t version; /* 0: as it was at first */
    uint32_t writer;  /* session + 1; 0: nobody's */
    int64_t changed_ns;
};

struct last_writer_held {
    uint32_t base; /* the version that the copy was taken of */
    bool changed;
    int64_t changed_ns;
};

struct last_writer {
    size_t items, files; /* the first `files` of them are files, the others registry values */
    uint64_t lost_files, lost_values;
    bool *lost; /* [session]: lost at least one update */

    /* Private. */
    struct last_writer_stored *stored; /* [item] */
    struct last_writer_held *held;     /* [device * items + item] */
};

/* False when memory is short; released either way. */
bool last_writer_init(struct last_writer *writer, size_t files, size_t values, size_t devices,
                      size_t sessions);
void last_writer_release(struct last_writer *writer);

/* A copy of the store's. What was changed in an older copy and not saved is forgotten without being counted. */
void last_writer_read(struct last_writer *writer, size_t device, size_t item);

/* Whether the store has a newer one than this copy. */
bool last_writer_is_stale(const struct last_writer *writer, size_t device, size_t item);

void last_writer_change(struct last_writer *writer, size_t device, size_t item, int64_t now_ns);

/* Saves a changed item. False: it had not changed, or the store keeps its newer one and this update is lost. */
bool last_writer_save(struct last_writer *writer, size_t device, size_t session, size_t item,
                      enum last_writer_rule rule);

/* Replaces the store's by this copy, changed or not, as when a whole file holds many values. */
void last_writer_replace(struct last_writer *writer, size_t device, size_t session, size_t item);

/* The session ends and nothing of it is saved: each changed item is lost. */
void last_writer_discard(struct last_writer *writer, size_t device, size_t session);

#endif
