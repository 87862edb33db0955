/* A folder that is there whole or not at all.
 *
 * It is written under a temporary name beside its place, its files and itself are brought to disk (fsync),
 * and only then does it get its name by a rename. folder_check() tells before a long run whether it could be
 * written at all.
 *
 *     struct folder *folder = folder_create(path, replace, message, sizeof message);
 *     struct writer *file = folder_open(folder, "cells.csv");   write, for each file
 *     folder_close_file(folder);
 *     if (!folder_commit(folder, message, sizeof message)) ...
 *
 * Messages are one clear line without a full stop.
 */
#ifndef VDISIM_FOLDER_H
#define VDISIM_FOLDER_H

#include "sim/experiment/read/sha256.h"
#include "sim/experiment/result/writer.h"

struct folder;

enum folder_answer {
    FOLDER_FINE,
    FOLDER_EXISTS,  /* and may not be replaced: the user's decision */
    FOLDER_REFUSED, /* by the system: read-only, no permission, a file in the way */
};

/* Whether a result folder can be written at `path`. With `replace` an existing result folder is accepted, but
 * nothing else that exists. Leaves nothing behind. */
enum folder_answer folder_check(const char *path, bool replace, char *message, size_t message_size);

/* Makes the temporary folder, and the folders above it where they are missing. NULL with a message on
 * failure. */
struct folder *folder_create(const char *path, bool replace, char *message, size_t message_size);

/* Starts a file; one is open at a time. Never NULL: after a failure writes go nowhere and the commit fails. */
struct writer *folder_open(struct folder *folder, const char *name);
void folder_close_file(struct folder *folder);

/* The SHA-256 of a file that was written and closed. False when it cannot be read back; the commit then fails. */
bool folder_hash_file(struct folder *folder, const char *name, char sha256[SHA256_HEX_SIZE]);

/* Gives the folder its name. False with a message when anything failed since folder_create(); the temporary
 * folder is then removed. Frees the folder in both cases. */
bool folder_commit(struct folder *folder, char *message, size_t message_size);

/* Removes the temporary folder and frees. */
void folder_abandon(struct folder *folder);

#endif
