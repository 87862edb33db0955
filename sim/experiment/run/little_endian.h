/* 64-bit numbers as bytes, the least significant first, whatever the processor. */
#ifndef VDISIM_LITTLE_ENDIAN_H
#define VDISIM_LITTLE_ENDIAN_H

#include <stdint.h>

/* Written out so that compilers see that it is one store, one load. */
static inline void little_endian_put(unsigned char bytes[8], uint64_t value)
{
    bytes[0] = (unsigned char)value;
    bytes[1] = (unsigned char)(value >> 8);
    bytes[2] = (unsigned char)(value >> 16);
    bytes[3] = (unsigned char)(value >> 24);
    bytes[4] = (unsigned char)(value >> 32);
    bytes[5] = (unsigned char)(value >> 40);
    bytes[6] = (unsigned char)(value >> 48);
    bytes[7] = (unsigned char)(value >> 56);
}

static inline uint64_t little_endian_get(const unsigned char bytes[8])
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

#endif
