/* The phase x cause matrix of a logon as few bytes: the 66 numbers of the first six phases and eleven causes in order,
 * each a variable-length integer of 7 bits a byte, low bits first, the high bit set on all but the last byte (LEB128,
 * signs folded in: 0, -1, 1, -2 are 0, 1, 2, 3). Most are 0, one byte. Phases and causes that were appended since follow
 * only where they are not 0, in order, each as a byte for the phase, one for the cause, and the number: archives of
 * before and of now read alike.
 */
#ifndef VDISIM_ARCHIVE_PHASES_H
#define VDISIM_ARCHIVE_PHASES_H

#include "vdisim/outcome.h"

enum {
    ARCHIVE_FIRST_PHASES = 6,
    ARCHIVE_FIRST_CAUSES = 11,
    ARCHIVE_PHASES_SIZE = 12 * PHASE_COUNT * CAUSE_COUNT - 2 * ARCHIVE_FIRST_PHASES * ARCHIVE_FIRST_CAUSES,
};

/* Whether this number is always there. */
static inline bool archive_phase_is_first(int phase, int cause)
{
    return phase < ARCHIVE_FIRST_PHASES && cause < ARCHIVE_FIRST_CAUSES;
}

size_t archive_phases_pack(const struct logon_record *logon, unsigned char bytes[ARCHIVE_PHASES_SIZE]);

/* False when the bytes are not exactly that many numbers. */
bool archive_phases_unpack(const unsigned char *bytes, size_t length, struct logon_record *logon);

#endif
