/* Foreign manifests: any bytes are read or refused with a problem that has a place. */
#include "sim/experiment/read/text_file.h"
#include "sim/experiment/result/manifest_read.h"

#include <assert.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); /* no byte after it is readable */
    assert(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    const struct text_file file = {"manifest.json", text, size};
    struct arena *arena = arena_create();
    struct problems *problems = problems_create();
    jmp_buf landing;
    assert(arena != NULL && problems != NULL);
    if (setjmp(landing) == 0) {
        arena_set_landing(arena, &landing);
        text_files_give(arena, &file, 1);
        const struct manifest *manifest = manifest_read(arena, "manifest.json", problems);
        assert((manifest == NULL) == (problems_errors(problems) > 0));
        if (manifest != NULL)
            assert(strlen(manifest->file) <= size && manifest->options.file_count > 0);
    }
    FILE *out = fopen("/dev/null", "w");
    problems_print(problems, out, false);
    fclose(out);
    arena_destroy(arena);
    problems_destroy(problems);
    free(text);
    return 0;
}
