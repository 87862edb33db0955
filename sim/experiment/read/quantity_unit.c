#include "sim/experiment/read/quantity_unit.h"

#include <assert.h>
#include <stddef.h>

#define KIB 1024.0
#define MIB (1024.0 * KIB)
#define GIB (1024.0 * MIB)
#define TIB (1024.0 * GIB)
#define PIB (1024.0 * TIB)

static const struct unit no_units[] = {{NULL, 0, 0, NULL}};
static const struct unit_hint no_hints[] = {{NULL, NULL}};

static const struct unit size_units[] = {
    {"PiB", PIB, 1, NULL}, {"TiB", TIB, 1, NULL},  {"GiB", GIB, 1, NULL},  {"MiB", MIB, 1, NULL},
    {"KiB", KIB, 1, NULL}, {"PB", 1e15, 1, "PiB"}, {"TB", 1e12, 1, "TiB"}, {"GB", 1e9, 1, "GiB"},
    {"MB", 1e6, 1, "MiB"}, {"kB", 1e3, 1, "KiB"},  {"B", 1, 1, NULL},      {NULL, 0, 0, NULL},
};
static const struct unit_hint size_hints[] = {
    {"bytes", "B"}, {"byte", "B"}, {"K", "KiB"}, {"M", "MiB"},
    {"G", "GiB"},   {"T", "TiB"},  {"P", "PiB"}, {NULL, NULL},
};

static const struct unit throughput_units[] = {
    {"PiB/s", PIB, 1, NULL},     {"TiB/s", TIB, 1, NULL},      {"GiB/s", GIB, 1, NULL},
    {"MiB/s", MIB, 1, NULL},     {"KiB/s", KIB, 1, NULL},      {"Gbit/s", 1.25e8, 1, NULL},
    {"Mbit/s", 1.25e5, 1, NULL}, {"PB/s", 1e15, 1, "PiB/s"},   {"TB/s", 1e12, 1, "TiB/s"},
    {"GB/s", 1e9, 1, "GiB/s"},   {"MB/s", 1e6, 1, "MiB/s"},    {"kB/s", 1e3, 1, "KiB/s"},
    {"B/s", 1, 1, NULL},         {"Tbit/s", 1.25e11, 1, NULL}, {"kbit/s", 125, 1, NULL},
    {"bit/s", 1, 8, NULL},       {NULL, 0, 0, NULL},
};
static const struct unit_hint throughput_hints[] = {
    {"Gbps", "Gbit/s"}, {"Mbps", "Mbit/s"}, {"kbps", "kbit/s"}, {"Gb/s", "Gbit/s"}, {"Mb/s", "Mbit/s"},
    {"MBps", "MB/s"},   {"GBps", "GB/s"},   {"MiBps", "MiB/s"}, {"GiBps", "GiB/s"}, {"MiB", "MiB/s"},
    {"GiB", "GiB/s"},   {"MB", "MB/s"},     {"Gbit", "Gbit/s"}, {"Mbit", "Mbit/s"}, {NULL, NULL},
};

static const struct unit duration_units[] = {
    {"h", 3600e9, 1, NULL}, {"min", 60e9, 1, NULL}, {"s", 1e9, 1, NULL},     {"ms", 1e6, 1, NULL},
    {"us", 1e3, 1, NULL},   {"ns", 1, 1, NULL},     {"d", 86400e9, 1, NULL}, {NULL, 0, 0, NULL},
};
static const struct unit_hint duration_hints[] = {
    {"m", "min"},    {"mins", "min"},  {"minute", "min"}, {"minutes", "min"}, {"sec", "s"}, {"secs", "s"},
    {"second", "s"}, {"seconds", "s"}, {"msec", "ms"},    {"usec", "us"},     {"hr", "h"},  {"hrs", "h"},
    {"hour", "h"},   {"hours", "h"},   {"day", "d"},      {"days", "d"},      {NULL, NULL},
};

static const struct unit rate_units[] = {
    {"/s", 1, 1, NULL},   {"/min", 1, 60, NULL}, {"/h", 1, 3600, NULL},
    {"IOPS", 1, 1, NULL}, {NULL, 0, 0, NULL},
};
static const struct unit_hint rate_hints[] = {
    {"per second", "/s"}, {"per s", "/s"},  {"per minute", "/min"}, {"per min", "/min"}, {"per hour", "/h"},
    {"per h", "/h"},      {"/hour", "/h"},  {"/minute", "/min"},    {"/second", "/s"},   {"/sec", "/s"},
    {"/m", "/min"},       {"IO/s", "IOPS"}, {"1/s", "/s"},          {NULL, NULL},
};

static const struct unit fraction_units[] = {{"%", 1, 100, NULL}, {NULL, 0, 0, NULL}};
static const struct unit_hint fraction_hints[] = {{"percent", "%"}, {"pct", "%"}, {NULL, NULL}};

static const struct dimension dimensions[] = {
    [PARAMETER_SIZE] = {"a size", "10 TiB", "KiB, MiB, GiB, TiB or PiB (or B, kB, MB, GB, TB, PB)",
                        size_units, size_hints},
    [PARAMETER_THROUGHPUT] = {"a throughput", "40 MiB/s", "MiB/s, GiB/s, MB/s, Mbit/s or Gbit/s",
                              throughput_units, throughput_hints},
    [PARAMETER_DURATION] = {"a duration", "60 min", "ns, us, ms, s, min, h or d", duration_units,
                            duration_hints},
    [PARAMETER_RATE] = {"a rate", "20,000 /h", "/s, /min, /h or IOPS", rate_units, rate_hints},
    [PARAMETER_FRACTION] = {"a fraction", "87.5 %", "%", fraction_units, fraction_hints},
    [PARAMETER_COUNT] = {"a count", "1,500", "", no_units, no_hints},
    [PARAMETER_NUMBER] = {"a number", "0.2", "", no_units, no_hints},
};

const struct dimension *dimension_of(enum parameter_type type)
{
    assert(type <= PARAMETER_NUMBER);
    return &dimensions[type];
}
