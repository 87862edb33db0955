/* The outcome of a unit as bytes, to be sent to another process and to come out there the same.
 *
 * Every double keeps its bits, NaN included; a list that is not there (NULL) is not there afterwards. The bytes are
 * little endian whatever the processor, and begin with a mark, a version and their own length. Decoding trusts
 * nothing: bytes of another version, cut short, too long or made up are refused, without reading beyond them and
 * without allocating more than a few times their size.
 */
#ifndef VDISIM_UNIT_BYTES_H
#define VDISIM_UNIT_BYTES_H

#include "sim/experiment/run/unit.h"

/* Raised with every change of what is written. */
enum { UNIT_BYTES_VERSION = 3 };

struct unit_bytes {
    unsigned char *data; /* owned; free with unit_bytes_release() */
    size_t size, capacity;
};

void unit_bytes_release(struct unit_bytes *bytes);

/* Room for so many more bytes at data + size; not yet part of it. False when memory is short. */
bool unit_bytes_reserve(struct unit_bytes *bytes, size_t size);

bool unit_bytes_append(struct unit_bytes *bytes, const void *data, size_t size);

/* Appends an outcome to what is there. False when memory is short; `bytes` is then as it was. */
bool unit_encode(const struct unit_outcome *outcome, struct unit_bytes *bytes);

/* Fills an outcome, to be released by unit_release(). False with one clear line; the outcome is zeroed then. */
bool unit_decode(const unsigned char *data, size_t size, struct unit_outcome *outcome,
                 char message[UNIT_MESSAGE_SIZE]);

#endif
