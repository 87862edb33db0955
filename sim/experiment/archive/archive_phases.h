/* The phase x cause matrix of a logon as few bytes: its 66 numbers in order, each a variable-length integer of 7
 * bits a byte, low bits first, the high bit set on all but the last byte (LEB128, signs folded in: 0, -1, 1, -2 are
 * 0, 1, 2, 3). Most are 0, one byte.
 */
#ifndef VDISIM_ARCHIVE_PHASES_H
#define VDISIM_ARCHIVE_PHASES_H

#include "vdisim/outcome.h"

enum { ARCHIVE_PHASES_SIZE = 10 * PHASE_COUNT * CAUSE_COUNT };

size_t archive_phases_pack(const struct logon_record *logon, unsigned char bytes[ARCHIVE_PHASES_SIZE]);

/* False when the bytes are not exactly that many numbers. */
bool archive_phases_unpack(const unsigned char *bytes, size_t length, struct logon_record *logon);

#endif
