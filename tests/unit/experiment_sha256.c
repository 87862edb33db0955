/* SHA-256 against the examples of FIPS 180-4 and a million letters, whole and in pieces. */
#include "tests/support/check.h"

#include "sim/experiment/read/sha256.h"

#include <string.h>

static void assert_hash(const char *text, size_t times, size_t piece, const char *expected)
{
    struct sha256 hash;
    char hex[SHA256_HEX_SIZE];
    sha256_init(&hash);
    for (size_t i = 0; i < times; i++)
        for (size_t from = 0; from < strlen(text); from += piece)
            sha256_add(&hash, text + from, strlen(text) - from < piece ? strlen(text) - from : piece);
    sha256_finish(&hash, hex);
    assert_string_equal(hex, expected);
}

static void known_answers(void **state)
{
    (void)state;
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    assert_hash("", 1, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_hash("abc", 1, 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    for (size_t piece = 1; piece <= 56; piece++)
        assert_hash(two_blocks, 1, piece, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_hash("aaaaaaaaaa", 100000, 10, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_answers)};
    return RUN_TESTS(tests);
}
