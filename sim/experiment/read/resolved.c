/* What an experiment resolved to: its assumptions, its hash and its full listing. */
#include "sim/experiment/read/opening.h"

#include "sim/experiment/read/setting.h"

#include <stdio.h>
#include <string.h>

static bool seen_in_earlier_cell(const struct experiment *experiment, size_t cell, const struct block *block)
{
    if (cell == 0)
        return false;
    const struct resolution *before = experiment->cells[cell - 1].resolution;
    for (size_t i = 0; i < before->count; i++)
        if (before->parts[i].block == block)
            return true;
    return false;
}

static void collect_block(struct experiment *experiment, const struct block *block)
{
    if (strcmp(block->table->name, run_parameters.name) == 0)
        return; /* how it is run is no assumption about the world */
    for (size_t i = 0; i < block->count; i++) {
        const struct setting *setting = &block->list[i];
        const struct origin *origin = &setting->origin;
        bool from_catalogue = origin->kind == ORIGIN_ENTRY || origin->kind == ORIGIN_DEFAULT;
        if (setting->row == NULL || !from_catalogue ||
            (origin->status != STATUS_CALIBRATED && origin->status != STATUS_ASSUMED))
            continue;
        const char *name = arena_format(experiment->arena, "%s.%s", block->table->name, setting->path);
        bool known = false;
        for (size_t j = 0; j < experiment->assumption_count && !known; j++)
            known = strcmp(experiment->assumptions[j].parameter, name) == 0;
        if (known)
            continue;
        ARENA_GROW(experiment->arena, experiment->assumptions, experiment->assumption_count);
        experiment->assumptions[experiment->assumption_count++] = (struct assumption){
            .parameter = name,
            .value = setting->written,
            .status = value_status_name(origin->status),
            .source = origin->source[0] != '\0' ? origin->source : origin->note,
        };
    }
}

void experiment_collect_assumptions(struct experiment *experiment)
{
    for (size_t i = 0; i < experiment->cell_count; i++) {
        const struct resolution *resolution = experiment->cells[i].resolution;
        for (size_t j = 0; j < resolution->count; j++)
            if (!seen_in_earlier_cell(experiment, i, resolution->parts[j].block))
                collect_block(experiment, resolution->parts[j].block);
    }
}

/* Texts go in with their length, so that no two different lists give the same bytes. */
static void hash_text(struct sha256 *hash, const char *text)
{
    char length[32];
    size_t digits = (size_t)snprintf(length, sizeof length, "%zu:", strlen(text));
    sha256_add(hash, length, digits);
    sha256_add(hash, text, strlen(text));
}

/* How many replications there are to be changes nothing in any of them. */
static bool is_about_count(const struct block *block, const char *path)
{
    static const char *const names[] = {"replications", "precision", "of",
                                        "confidence",   "at_least",  "at_most"};
    if (strcmp(block->table->name, run_parameters.name) != 0)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(path, names[i]) == 0)
            return true;
    return false;
}

static void hash_block(struct sha256 *hash, struct arena *arena, const struct block *block)
{
    hash_text(hash, block->table->name);
    for (size_t i = 0; i < block->count; i++) {
        const struct setting *setting = &block->list[i];
        if (setting->row == NULL || is_about_count(block, setting->path))
            continue; /* which entry the values came from changes nothing */
        hash_text(hash, setting->path);
        hash_text(hash, setting_exact(arena, setting->row, setting->field));
    }
}

void experiment_compute_hash(struct experiment *experiment)
{
    struct sha256 hash;
    sha256_init(&hash);
    for (size_t i = 0; i < experiment->cell_count; i++) {
        const struct resolution *resolution = experiment->cells[i].resolution;
        hash_text(&hash, "cell");
        for (size_t j = 0; j < resolution->count; j++) {
            const struct part *part = &resolution->parts[j];
            hash_text(&hash, part->path);
            hash_text(&hash, part->kind != NULL ? part->kind : "");
            hash_block(&hash, experiment->arena, part->block);
        }
    }
    sha256_finish(&hash, experiment->hash);
}

/* A value to print: of a setting, or of the kind of a part. */
struct line {
    const char *key, *value;
    const struct origin *origin; /* NULL for a kind */
};

/* The lines of one cell. */
struct listing {
    struct line *lines;
    size_t count;
};

static struct listing list_cell(struct arena *arena, const struct resolution *resolution)
{
    struct listing listing = {0};
    size_t room = 0;
    for (size_t i = 0; i < resolution->count; i++)
        room += resolution->parts[i].block->count + 1;
    listing.lines = ARENA_ARRAY(arena, struct line, room);
    for (size_t i = 0; i < resolution->count; i++) {
        const struct part *part = &resolution->parts[i];
        if (part->kind != NULL)
            listing.lines[listing.count++] =
                (struct line){arena_format(arena, "%s.kind", part->path), part->kind, NULL};
        for (size_t j = 0; j < part->block->count; j++) {
            const struct setting *setting = &part->block->list[j];
            bool is_written = setting->row == NULL;
            listing.lines[listing.count++] = (struct line){
                arena_format(arena, "%s.%s", part->path, setting->path),
                is_written ? setting->written : setting_text(arena, setting->row, setting->field),
                &setting->origin};
        }
    }
    return listing;
}

static const struct line *find_line(const struct listing *listing, const char *key, size_t hint)
{
    if (hint < listing->count && strcmp(listing->lines[hint].key, key) == 0)
        return &listing->lines[hint];
    for (size_t i = 0; i < listing->count; i++)
        if (strcmp(listing->lines[i].key, key) == 0)
            return &listing->lines[i];
    return NULL;
}

static bool is_plain(const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,/_%+-";
    return text[0] != '\0' && text[0] != ' ' && text[0] != '-' && text[0] != '%' && text[0] != ',' &&
           text[strspn(text, safe)] == '\0' && text[strlen(text) - 1] != ' ';
}

/* A scalar as YAML; lists stand as they are. */
static int print_value(const char *value, FILE *out)
{
    if (is_plain(value) || value[0] == '[')
        return fprintf(out, "%s", value);
    int width = 2;
    fputc('"', out);
    for (const char *c = value; *c != '\0'; c++, width++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', out);
        if ((unsigned char)*c < 0x20)
            fprintf(out, "\\x%02x", (unsigned)(unsigned char)*c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
    return width;
}

static void print_origin(const struct origin *origin, FILE *out)
{
    switch (origin->kind) {
    case ORIGIN_FILE:
        fprintf(out, "%s", origin->at.file);
        if (origin->at.line > 0)
            fprintf(out, ":%zu", origin->at.line);
        return;
    case ORIGIN_ONLY:
        fprintf(out, "the only one there is");
        return;
    case ORIGIN_UNSET:
        fprintf(out, "not set");
        return;
    case ORIGIN_ENTRY:
        fprintf(out, "%s%s%s", origin->entry, origin->rules != NULL ? ", rules " : "",
                origin->rules != NULL ? origin->rules : "");
        break;
    case ORIGIN_DEFAULT:
        fprintf(out, "default");
        break;
    }
    if (origin->source == NULL)
        return;
    fprintf(out, "; %s", value_status_name(origin->status));
    if (origin->source[0] != '\0')
        fprintf(out, ": %s", origin->source);
    if (origin->note[0] != '\0')
        fprintf(out, " (%s)", origin->note);
}

static void print_line(const struct line *line, const char *indent, FILE *out)
{
    bool is_unset = line->origin != NULL && line->origin->kind == ORIGIN_UNSET;
    int width = fprintf(out, "%s%s%s: ", indent, is_unset ? "# " : "", line->key);
    if (!is_unset)
        width += print_value(line->value, out);
    if (line->origin != NULL) {
        fprintf(out, "%*s  # ", width < 64 ? 64 - width : 0, "");
        print_origin(line->origin, out);
    }
    fputc('\n', out);
}

/* Marks the lines of the first cell that every cell has alike. */
static bool *mark_common(struct arena *arena, const struct listing *listings, size_t cell_count)
{
    bool *common = ARENA_ARRAY(arena, bool, listings[0].count);
    for (size_t i = 0; i < listings[0].count; i++) {
        common[i] = true;
        for (size_t j = 1; j < cell_count && common[i]; j++) {
            const struct line *other = find_line(&listings[j], listings[0].lines[i].key, i);
            common[i] = other != NULL && strcmp(other->value, listings[0].lines[i].value) == 0;
        }
    }
    return common;
}

static void print_cell(const struct listing *first, const bool *common, const struct listing *listing,
                       size_t number, FILE *out)
{
    fprintf(out, "  # cell %zu\n", number);
    bool is_first = true;
    for (size_t i = 0; i < listing->count; i++) {
        const struct line *line = &listing->lines[i];
        const struct line *shared = find_line(first, line->key, i);
        bool is_unset = line->origin != NULL && line->origin->kind == ORIGIN_UNSET;
        if (shared != NULL && common[shared - first->lines])
            continue;
        print_line(line, is_first && !is_unset ? "  - " : "    ", out);
        is_first = is_first && is_unset;
    }
}

static void print_listings(const struct experiment *experiment, struct arena *arena, FILE *out)
{
    size_t count = experiment->cell_count;
    struct listing *listings = ARENA_ARRAY(arena, struct listing, count);
    for (size_t i = 0; i < count; i++)
        listings[i] = list_cell(arena, experiment->cells[i].resolution);
    bool *common = mark_common(arena, listings, count);
    for (size_t i = 0; i < listings[0].count; i++)
        if (common[i])
            print_line(&listings[0].lines[i], "", out);
    if (count > 1)
        fprintf(out, "cells:\n");
    for (size_t i = 0; i < count && count > 1; i++)
        print_cell(&listings[0], common, &listings[i], i + 1, out);
}

void experiment_print_full(const struct experiment *experiment, FILE *out)
{
    struct arena *arena = arena_create();
    jmp_buf landing;
    if (arena == NULL || setjmp(landing) != 0) {
        fprintf(out, "# out of memory\n");
        arena_destroy(arena);
        return;
    }
    arena_set_landing(arena, &landing);
    fprintf(out, "# %s: every value of %zu cell%s and where it comes from.\n", experiment->path,
            experiment->cell_count, experiment->cell_count == 1 ? "" : "s");
    fprintf(out, "# Keys are written as vary and --set take them.\n");
    print_line(&(struct line){"experiment", experiment->name, NULL}, "", out);
    print_line(&(struct line){"title", experiment->title, NULL}, "", out);
    print_listings(experiment, arena, out);
    arena_destroy(arena);
}
