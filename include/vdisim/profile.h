/* A user profile: how many files, how large, where.
 *
 * A profile has parts. `profile` is what roams in the user store; `redirected` are the folders that folder
 * redirection sends to a share instead; `excludable` is what the exclusion list keeps from roaming; one or
 * more `large` files (a mailbox) that large file handling replaces by symbolic links. Which part roams is
 * decided by the profile engine's settings, see cpm_part_roams() in cpm.h.
 *
 * Sizes follow a power law between a smallest and a largest size, with the exponent that gives the mean. The
 * size of a file is a function of the seed, the user and the file's number; nothing is stored a file but its
 * state.
 */
#ifndef VDISIM_PROFILE_H
#define VDISIM_PROFILE_H

#include "vdisim/parameter.h"

#include <stdint.h>

enum profile_part { PART_PROFILE, PART_REDIRECTED, PART_EXCLUDABLE, PART_COUNT };

struct profile_part_settings {
    int64_t files, folders;
    const char *path; /* of its topmost folder, for patterns */
};

struct profile_settings {
    struct profile_part_settings parts[PART_COUNT];
    int64_t file_size_min_bytes, file_size_max_bytes, file_size_mean_bytes;
    int64_t registry_bytes;       /* NTUSER.DAT */
    int64_t registry_dirty_bytes; /* changed between two write-backs */
    int64_t pending_files;        /* waiting in the pending area at logon */
    int64_t large_files;
    int64_t large_file_bytes;
    const char *large_file_path;
    bool large_file_opened_at_logon; /* something opens it while the profile loads, so that it cannot wait */
};

extern const struct parameter_table profile_parameters;

/* The law of file sizes: density proportional to x^-(shape + 1) on [min, max]. */
struct file_size_law {
    double min_bytes, max_bytes, shape;
};

/* The law with the mean of the settings (bisection on the shape; the mean falls as the shape rises). */
struct file_size_law file_size_law(const struct profile_settings *settings);

double file_size_law_mean(const struct file_size_law *law);

/* The size at probability u in (0, 1): inverse of the distribution function. */
int64_t file_size_at(const struct file_size_law *law, double u);

int64_t profile_files(const struct profile_settings *settings); /* over all parts, large files apart */

#endif
