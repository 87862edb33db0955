#include "vdisim/layering.h"

#include "models/layering/layering_plan.h"
#include "vdisim/block.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LAYERING(field)  offsetof(struct layering_settings, field)
#define APPLIANCE(field) offsetof(struct appliance_settings, field)

static const struct parameter appliance_rows[] = {
    {.name = "rate",
     .type = PARAMETER_THROUGHPUT,
     .offset = APPLIANCE(bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "What passes through the appliance, all jobs together"},
    {.name = "job_overhead",
     .type = PARAMETER_DURATION,
     .offset = APPLIANCE(job_overhead_ns),
     .maximum = 6.048e14,
     .help = "Time of a job beyond its copies"},
    {.name = "at_a_time",
     .type = PARAMETER_COUNT,
     .offset = APPLIANCE(at_a_time),
     .minimum = 1,
     .maximum = 1000,
     .help = "Jobs that run at a time"},
    {.name = "chunk",
     .type = PARAMETER_SIZE,
     .offset = APPLIANCE(chunk_bytes),
     .minimum = REQUEST_PAGE_BYTES,
     .maximum = 67108864,
     .help = "What a copy reads and writes at once"},
    {.name = "copy_depth",
     .type = PARAMETER_COUNT,
     .offset = APPLIANCE(depth),
     .minimum = 1,
     .maximum = 1024,
     .help = "Chunks of a copy in flight"},
    {.name = "whole_disks",
     .type = PARAMETER_BOOLEAN,
     .offset = APPLIANCE(whole_disks),
     .help = "The hypervisor hands out whole disks, not only their used blocks"},
    {.name = "zeroed_disks",
     .type = PARAMETER_BOOLEAN,
     .offset = APPLIANCE(zeroed_disks),
     .help = "A new layer disk is written once in full before it is used"},
};

static bool appliance_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct appliance_settings *settings = settings_of;
    if (settings->chunk_bytes % REQUEST_PAGE_BYTES == 0)
        return true;
    problem->parameter = "chunk";
    snprintf(problem->message, sizeof problem->message, "a chunk is a multiple of 4 KiB");
    return false;
}

const struct parameter_table appliance_parameters = {
    .name = "layering_appliance",
    .help = "The appliance: how it copies",
    .size = sizeof(struct appliance_settings),
    PARAMETER_ROWS(appliance_rows),
    .check = appliance_check,
};

static const struct parameter layering_rows[] = {
    {.name = "source",
     .type = PARAMETER_STORE,
     .offset = LAYERING(source),
     .help = "Store of the machines whose systems are imported"},
    {.name = "repository",
     .type = PARAMETER_STORE,
     .offset = LAYERING(repository),
     .help = "Store of the layers"},
    {.name = "machines",
     .type = PARAMETER_STORE,
     .offset = LAYERING(machines),
     .help = "Store of packaging machines and of the layer disk cache"},
    {.name = "images",
     .type = PARAMETER_STORE,
     .offset = LAYERING(images),
     .help = "Store of published images"},
    {.name = "guest",
     .type = PARAMETER_GROUP,
     .offset = LAYERING(guest),
     .group = &guest_disk_parameters,
     .help = "How appliance and hypervisor see each of them"},
    {.name = "appliance",
     .type = PARAMETER_GROUP,
     .offset = LAYERING(appliance),
     .group = &appliance_parameters,
     .help = "How it copies"},
    {.name = "cache",
     .type = PARAMETER_SIZE,
     .offset = LAYERING(cache_bytes),
     .maximum = 1e14,
     .help = "Layer disk cache; 0 for none"},
    {.name = "start",
     .type = PARAMETER_DURATION,
     .offset = LAYERING(start_ns),
     .maximum = 6.048e14,
     .help = "When the jobs are asked for"},
    {.name = "layers",
     .type = PARAMETER_TEXTS,
     .offset = LAYERING(layers),
     .optional = true,
     .help = "Layers that there are at the start: `windows 60 GB using 11.8 GB`"},
    {.name = "jobs",
     .type = PARAMETER_TEXTS,
     .offset = LAYERING(jobs),
     .help = "In the order in which they are asked for: `import windows 60 GB using 11.8 GB`, `create office "
             "10 GB on "
             "windows`, `version office on windows`, `publish desktop of windows office`"},
};

static bool layering_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct layering_settings *settings = settings_of;
    struct layering_plan plan;
    switch (layering_plan_make(&plan, &settings->layers, &settings->jobs, problem)) {
    case LAYERING_PLAN_WRONG:
        return false;
    case LAYERING_PLAN_OK:
        layering_plan_release(&plan);
        return true;
    default:
        return true; /* it will be short when it is run, too */
    }
}

const struct parameter_table layering_parameters = {
    .name = "layering",
    .help = "The appliance of App Layering works off jobs",
    .size = sizeof(struct layering_settings),
    PARAMETER_ROWS(layering_rows),
    .check = layering_check,
};

/* --- Whether it fits. --- */

struct need {
    const char *store;
    int64_t bytes;
    const char *parameter, *what;
};

static int64_t room_of(const struct scenario *scenario, const char *name)
{
    for (size_t i = 0; i < scenario->store_count; i++) {
        const struct store_part *part = &scenario->stores[i];
        if (strcmp(part->name, name) != 0)
            continue;
        return part->kind->capacity_bytes == NULL ? INT64_MAX : part->kind->capacity_bytes(part->settings);
    }
    return INT64_MAX;
}

static bool fits(const struct scenario *scenario, const struct need *need, struct parameter_problem *problem)
{
    const int64_t room_bytes = room_of(scenario, need->store);
    if (need->bytes <= room_bytes)
        return true;
    problem->parameter = need->parameter;
    snprintf(problem->message, sizeof problem->message,
             "%s, %.6g GB together, do not fit in the store %.60s of %.6g GB", need->what,
             (double)need->bytes * 1e-9, need->store, (double)room_bytes * 1e-9);
    return false;
}

/* What each role keeps on its store; roles that share a store are not added up. */
static bool plan_fits(const struct scenario *scenario, const struct layering_settings *settings,
                      const struct layering_plan *plan, struct parameter_problem *problem)
{
    int64_t imported = 0, kept = 0, machine = 0, composed = 0, images = 0;
    for (size_t i = 0; i < plan->layer_count; i++)
        kept += plan->layers[i].size_bytes;
    for (size_t i = 0; i < plan->job_count; i++) {
        const struct layering_job *job = &plan->jobs[i];
        if (job->below_bytes > composed)
            composed = job->below_bytes;
        if (job->action == LAYERING_PUBLISH)
            images += job->below_bytes;
        if (job->action == LAYERING_IMPORT)
            imported += plan->layers[job->layer].size_bytes;
        else if (job->layer != SIZE_MAX && job->below_bytes + plan->layers[job->layer].size_bytes > machine)
            machine = job->below_bytes + plan->layers[job->layer].size_bytes;
    }
    const struct need needs[] = {
        {settings->source, imported, "jobs", "the disks that are imported"},
        {settings->repository, kept + composed, "jobs", "the layers and the largest disk composed of them"},
        {settings->machines, settings->cache_bytes, "cache", "the disks in the layer disk cache"},
        {settings->machines, settings->cache_bytes + machine, "cache",
         "the layer disk cache and the disks of a packaging machine"},
        {settings->images, images, "jobs", "the images that are published"},
    };
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (!fits(scenario, &needs[i], problem))
            return false;
    return true;
}

bool layering_fits(const struct scenario *scenario, const void *settings_of,
                   struct parameter_problem *problem)
{
    const struct layering_settings *settings = settings_of;
    struct layering_plan plan;
    if (layering_plan_make(&plan, &settings->layers, &settings->jobs, problem) != LAYERING_PLAN_OK)
        return true; /* told by the check of the table */
    const bool fine = plan_fits(scenario, settings, &plan, problem);
    layering_plan_release(&plan);
    return fine;
}
