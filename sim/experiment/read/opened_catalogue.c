#include "sim/experiment/read/opened_catalogue.h"

#include "sim/experiment/read/price_list.h"

static struct opened_catalogue *open_in(struct arena *arena, const char *const *files, size_t file_count,
                                        struct problems *problems)
{
    struct opened_catalogue *opened = ARENA_NEW(arena, struct opened_catalogue);
    opened->arena = arena;
    opened->vocabulary = vocabulary_of_models();
    opened->catalogue = catalogue_create(arena, &opened->vocabulary);
    catalogue_add_embedded(opened->catalogue, embedded_catalogue, problems);
    for (size_t i = 0; i < file_count; i++)
        catalogue_add_file(opened->catalogue, files[i], problems);
    return opened;
}

struct opened_catalogue *catalogue_open(const char *const *files, size_t file_count,
                                        struct problems *problems)
{
    struct arena *arena = arena_create();
    jmp_buf landing;
    if (arena == NULL || setjmp(landing) != 0) {
        problem_add(problems, PROBLEM_ERROR, (struct position){.file = "catalogue"}, "out of memory");
        arena_destroy(arena);
        return NULL;
    }
    arena_set_landing(arena, &landing);
    struct opened_catalogue *opened = open_in(arena, files, file_count, problems);
    arena_set_landing(arena, NULL);
    if (problems_errors(problems) == 0)
        return opened;
    arena_destroy(arena);
    return NULL;
}

void catalogue_close(struct opened_catalogue *opened)
{
    if (opened != NULL)
        arena_destroy(opened->arena);
}
