#include "models/layering/layering_plan.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISK_MOST_BYTES 1e14

struct making {
    struct layering_plan *plan;
    const char *text;
    struct parameter_problem *problem;
};

const char *layering_action_name(enum layering_action action)
{
    static const char *const names[LAYERING_ACTION_COUNT] = {"import", "create", "version", "publish"};
    return names[action];
}

static enum layering_plan_answer __attribute__((format(printf, 2, 3)))
wrong(const struct making *making, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    making->problem->text = making->text;
    vsnprintf(making->problem->message, sizeof making->problem->message, format, arguments);
    va_end(arguments);
    return LAYERING_PLAN_WRONG;
}

/* --- Words. --- */

static void skip_blanks(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
}

static bool read_word(const char **at, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || ((*at)[length] != '\0' && !isspace((unsigned char)(*at)[length])))
        return false;
    *at += length;
    skip_blanks(at);
    return true;
}

static bool read_name(const char **at, char name[LAYER_NAME_SIZE])
{
    size_t length = 0;
    while (isalnum((unsigned char)(*at)[length]) || (*at)[length] == '-' || (*at)[length] == '_')
        length++;
    if (length == 0 || length >= LAYER_NAME_SIZE ||
        ((*at)[length] != '\0' && !isspace((unsigned char)(*at)[length])))
        return false;
    memcpy(name, *at, length);
    name[length] = '\0';
    *at += length;
    skip_blanks(at);
    return true;
}

static bool read_size(const char **at, int64_t *bytes)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"MB", 1e6},        {"GB", 1e9},           {"TB", 1e12},
                 {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}};
    if (!isdigit((unsigned char)**at))
        return false;
    char *end;
    const double number = strtod(*at, &end);
    const char *rest = end;
    skip_blanks(&rest);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (!read_word(&rest, units[i].name))
            continue;
        if (!(number * units[i].bytes >= 1.0 && number * units[i].bytes <= DISK_MOST_BYTES))
            return false;
        *bytes = (int64_t)llround(number * units[i].bytes);
        *at = rest;
        return true;
    }
    return false;
}

/* `windows 60 GB using 11.8 GB` */
static bool read_layer(const char **at, struct layer *layer)
{
    *layer = (struct layer){0};
    if (!read_name(at, layer->name) || !read_size(at, &layer->size_bytes))
        return false;
    layer->used_bytes = layer->size_bytes;
    return !read_word(at, "using") || read_size(at, &layer->used_bytes);
}

/* --- Layers. --- */

static size_t find_layer(const struct layering_plan *plan, const char *name)
{
    size_t index = 0;
    while (index < plan->layer_count && strcmp(plan->layers[index].name, name) != 0)
        index++;
    return index;
}

static enum layering_plan_answer add_layer(const struct making *making, const struct layer *layer)
{
    struct layering_plan *plan = making->plan;
    if (layer->used_bytes > layer->size_bytes)
        return wrong(making, "'%.60s' uses more than the size of its disk", making->text);
    if (find_layer(plan, layer->name) < plan->layer_count)
        return wrong(making, "'%.60s' makes the layer %s, which there is already", making->text, layer->name);
    struct layer *layers = realloc(plan->layers, (plan->layer_count + 1) * sizeof *layers);
    if (layers == NULL)
        return LAYERING_PLAN_NO_MEMORY;
    plan->layers = layers;
    plan->layers[plan->layer_count++] = *layer;
    return LAYERING_PLAN_OK;
}

static enum layering_plan_answer add_layer_at_start(const struct making *making)
{
    const char *at = making->text;
    struct layer layer;
    skip_blanks(&at);
    if (!read_layer(&at, &layer) || *at != '\0')
        return wrong(making, "'%.60s' is no layer: NAME SIZE, as in 'windows 60 GB using 11.8 GB'",
                     making->text);
    return add_layer(making, &layer);
}

/* --- Jobs. --- */

static enum layering_plan_answer unreadable(const struct making *making)
{
    return wrong(
        making,
        "'%.60s' is no job: 'import NAME SIZE', 'create NAME SIZE on LAYERS', 'version NAME on LAYERS' or "
        "'publish NAME of LAYERS'",
        making->text);
}

static bool read_action(const char **at, enum layering_action *action)
{
    for (int i = 0; i < LAYERING_ACTION_COUNT; i++) {
        if (!read_word(at, layering_action_name((enum layering_action)i)))
            continue;
        *action = (enum layering_action)i;
        return true;
    }
    return false;
}

static enum layering_plan_answer read_below(const struct making *making, const char **at,
                                            struct layering_job *job)
{
    const struct layering_plan *plan = making->plan;
    if (**at == '\0')
        return unreadable(making);
    while (**at != '\0') {
        char name[LAYER_NAME_SIZE];
        if (!read_name(at, name))
            return unreadable(making);
        const size_t layer = find_layer(plan, name);
        if (layer == plan->layer_count)
            return wrong(making, "'%.60s' needs the layer %s, which there is not yet", making->text, name);
        for (size_t i = 0; i < job->below_count; i++)
            if (job->below[i] == layer)
                return wrong(making, "'%.60s' names the layer %s twice", making->text, name);
        size_t *below = realloc(job->below, (job->below_count + 1) * sizeof *below);
        if (below == NULL)
            return LAYERING_PLAN_NO_MEMORY;
        job->below = below;
        job->below[job->below_count++] = layer;
        job->below_bytes += plan->layers[layer].used_bytes;
    }
    return LAYERING_PLAN_OK;
}

static enum layering_plan_answer read_job(const struct making *making, struct layering_job *job)
{
    struct layering_plan *plan = making->plan;
    const char *at = making->text;
    struct layer layer = {0};
    skip_blanks(&at);
    if (!read_action(&at, &job->action))
        return unreadable(making);
    const bool makes = job->action == LAYERING_IMPORT || job->action == LAYERING_CREATE;
    if (makes ? !read_layer(&at, &layer) : !read_name(&at, layer.name))
        return unreadable(making);
    memcpy(job->name, layer.name, sizeof job->name);
    job->layer = SIZE_MAX;
    enum layering_plan_answer answer = LAYERING_PLAN_OK;
    if (job->action != LAYERING_IMPORT) {
        if (!read_word(&at, job->action == LAYERING_PUBLISH ? "of" : "on"))
            return unreadable(making);
        answer = read_below(making, &at, job);
    }
    if (answer != LAYERING_PLAN_OK)
        return answer;
    if (*at != '\0')
        return unreadable(making);
    if (makes)
        answer = add_layer(making, &layer);
    if (job->action != LAYERING_PUBLISH)
        job->layer = find_layer(plan, layer.name);
    if (answer == LAYERING_PLAN_OK && job->layer == plan->layer_count)
        return wrong(making, "'%.60s' needs the layer %s, which there is not yet", making->text, layer.name);
    return answer;
}

static enum layering_plan_answer add_job(const struct making *making)
{
    struct layering_plan *plan = making->plan;
    struct layering_job *job = &plan->jobs[plan->job_count++];
    const enum layering_plan_answer answer = read_job(making, job);
    if (answer != LAYERING_PLAN_OK)
        return answer;
    while (plan->jobs[job->same].action != job->action || strcmp(plan->jobs[job->same].name, job->name) != 0)
        job->same++;
    return LAYERING_PLAN_OK;
}

enum layering_plan_answer layering_plan_make(struct layering_plan *plan, const struct parameter_texts *layers,
                                             const struct parameter_texts *jobs,
                                             struct parameter_problem *problem)
{
    struct making making = {plan, "", problem};
    *plan = (struct layering_plan){.jobs = calloc(jobs->count + 1, sizeof *plan->jobs)};
    if (plan->jobs == NULL)
        return LAYERING_PLAN_NO_MEMORY;
    enum layering_plan_answer answer = LAYERING_PLAN_OK;
    problem->parameter = "layers";
    for (size_t i = 0; answer == LAYERING_PLAN_OK && i < layers->count; i++) {
        making.text = layers->texts[i];
        answer = add_layer_at_start(&making);
    }
    if (answer == LAYERING_PLAN_OK) {
        problem->parameter = "jobs";
        if (jobs->count == 0)
            answer = wrong(&making, "the list of jobs is empty: nothing would be done");
    }
    for (size_t i = 0; answer == LAYERING_PLAN_OK && i < jobs->count; i++) {
        making.text = jobs->texts[i];
        answer = add_job(&making);
    }
    if (answer != LAYERING_PLAN_OK)
        layering_plan_release(plan);
    return answer;
}

void layering_plan_release(struct layering_plan *plan)
{
    for (size_t i = 0; i < plan->job_count; i++)
        free(plan->jobs[i].below);
    free(plan->jobs);
    free(plan->layers);
    *plan = (struct layering_plan){0};
}
