#include "vdisim/pagefile.h"

#include <stddef.h>
#include <stdio.h>

#define PAGEFILE(field) offsetof(struct pagefile_settings, field)
#define BYTES(row, field, text)                                                                              \
    {                                                                                                        \
        .name = row, .type = PARAMETER_SIZE, .offset = PAGEFILE(field), .maximum = 1e15, .help = text        \
    }

static const struct parameter pagefile_rows[] = {
    BYTES("memory", memory_bytes, "Memory of the machine"),
    BYTES("system", system_bytes, "What the system itself uses of it"),
    {.name = "user",
     .type = PARAMETER_SIZE,
     .offset = PAGEFILE(user_bytes),
     .maximum = 1e11,
     .help = "What a user's programs use"},
    BYTES("initial", initial_bytes, "Size of the pagefile at the start"),
    {.name = "cluster",
     .type = PARAMETER_SIZE,
     .offset = PAGEFILE(cluster_bytes),
     .minimum = 4096,
     .maximum = 1048576,
     .help = "What is read or written at a time"},
    {.name = "touches",
     .type = PARAMETER_RATE,
     .offset = PAGEFILE(touches_per_s),
     .maximum = 1e6,
     .help = "Pages that a user's programs come to use anew"},
};

static bool pagefile_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct pagefile_settings *settings = settings_of;
    if (settings->system_bytes <= settings->memory_bytes)
        return true;
    problem->parameter = "system";
    snprintf(problem->message, sizeof problem->message,
             "the system alone uses more than the machine's memory");
    return false;
}

const struct parameter_table pagefile_parameters = {
    .name = "pagefile",
    .help = "Memory of a machine and the pagefile behind it",
    .size = sizeof(struct pagefile_settings),
    PARAMETER_ROWS(pagefile_rows),
    .check = pagefile_check,
};

void pagefile_init(struct pagefile *pagefile, const struct pagefile_settings *settings)
{
    *pagefile = (struct pagefile){.settings = settings, .size_bytes = settings->initial_bytes};
}

int64_t pagefile_update(struct pagefile *pagefile, int64_t users, int64_t write_cache_bytes)
{
    const struct pagefile_settings *settings = pagefile->settings;
    const int64_t demand = settings->system_bytes + users * settings->user_bytes + write_cache_bytes;
    const int64_t pressure = demand > settings->memory_bytes ? demand - settings->memory_bytes : 0;
    const int64_t out = pressure > pagefile->pressure_bytes ? pressure - pagefile->pressure_bytes : 0;
    pagefile->pressure_bytes = pressure;
    if (pressure > pagefile->size_bytes)
        pagefile->size_bytes = pressure;
    pagefile->fault_probability = pressure == 0 ? 0.0 : (double)pressure / (double)demand;
    return out;
}
