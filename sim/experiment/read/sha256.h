/* SHA-256 (FIPS 180-4): names an experiment by what determines its results. */
#ifndef VDISIM_SHA256_H
#define VDISIM_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHA256_HEX_SIZE 65 /* 64 digits and NUL */

struct sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t length);
void sha256_finish(struct sha256 *hash, char hex[SHA256_HEX_SIZE]);

/* Of one text, and of a file; false with errno when it cannot be read. */
void sha256_text(const char *text, size_t length, char hex[SHA256_HEX_SIZE]);
bool sha256_file(const char *path, char hex[SHA256_HEX_SIZE]);

#endif
