#include "sim/experiment/archive/archive_phases.h"

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

size_t archive_phases_pack(const struct logon_record *logon, unsigned char bytes[ARCHIVE_PHASES_SIZE])
{
    size_t length = 0;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        for (int cause = 0; cause < CAUSE_COUNT; cause++) {
            int64_t ns = logon->phase_cause_ns[phase][cause];
            uint64_t folded = (uint64_t)ns << 1 ^ (ns < 0 ? UINT64_MAX : 0);
            length += pack(folded, bytes + length);
        }
    return length;
}

bool archive_phases_unpack(const unsigned char *bytes, size_t length, struct logon_record *logon)
{
    size_t at = 0;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        for (int cause = 0; cause < CAUSE_COUNT; cause++) {
            uint64_t folded;
            size_t read = unpack(bytes + at, length - at, &folded);
            if (read == 0)
                return false;
            at += read;
            logon->phase_cause_ns[phase][cause] =
                (int64_t)(folded >> 1 ^ ((folded & 1) != 0 ? UINT64_MAX : 0));
        }
    return at == length;
}
