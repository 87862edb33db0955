#include "sim/experiment/archive/archive_phases.h"

#include <string.h>

static size_t pack(uint64_t number, unsigned char *bytes)
{
    size_t length = 0;
    for (; number >= 0x80; number >>= 7)
        bytes[length++] = (unsigned char)(number | 0x80);
    bytes[length++] = (unsigned char)number;
    return length;
}

/* The bytes read, 0 when they are no number. */
static size_t unpack(const unsigned char *bytes, size_t length, uint64_t *number)
{
    *number = 0;
    for (size_t at = 0; at < length && at < 10; at++) {
        *number |= (uint64_t)(bytes[at] & 0x7f) << 7 * at;
        if ((bytes[at] & 0x80) == 0)
            return at == 9 && bytes[at] > 1 ? 0 : at + 1;
    }
    return 0;
}

static uint64_t folded(int64_t ns)
{
    return (uint64_t)ns << 1 ^ (ns < 0 ? UINT64_MAX : 0);
}

static int64_t unfolded(uint64_t number)
{
    return (int64_t)(number >> 1 ^ ((number & 1) != 0 ? UINT64_MAX : 0));
}

size_t archive_phases_pack(const struct logon_record *logon, unsigned char bytes[ARCHIVE_PHASES_SIZE])
{
    size_t length = 0;
    for (int phase = 0; phase < ARCHIVE_FIRST_PHASES; phase++)
        for (int cause = 0; cause < ARCHIVE_FIRST_CAUSES; cause++)
            length += pack(folded(logon->phase_cause_ns[phase][cause]), bytes + length);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        for (int cause = 0; cause < CAUSE_COUNT; cause++) {
            const int64_t ns = logon->phase_cause_ns[phase][cause];
            if (ns == 0 || archive_phase_is_first(phase, cause))
                continue;
            bytes[length++] = (unsigned char)phase;
            bytes[length++] = (unsigned char)cause;
            length += pack(folded(ns), bytes + length);
        }
    return length;
}

bool archive_phases_unpack(const unsigned char *bytes, size_t length, struct logon_record *logon)
{
    memset(logon->phase_cause_ns, 0, sizeof logon->phase_cause_ns);
    size_t at = 0, read;
    uint64_t number;
    for (int phase = 0; phase < ARCHIVE_FIRST_PHASES; phase++)
        for (int cause = 0; cause < ARCHIVE_FIRST_CAUSES; cause++) {
            if ((read = unpack(bytes + at, length - at, &number)) == 0)
                return false;
            at += read;
            logon->phase_cause_ns[phase][cause] = unfolded(number);
        }
    while (at < length) {
        if (length - at < 3)
            return false;
        const int phase = bytes[at], cause = bytes[at + 1];
        read = unpack(bytes + at + 2, length - at - 2, &number);
        if (read == 0 || phase >= PHASE_COUNT || cause >= CAUSE_COUNT || archive_phase_is_first(phase, cause))
            return false;
        at += 2 + read;
        logon->phase_cause_ns[phase][cause] = unfolded(number);
    }
    return true;
}
