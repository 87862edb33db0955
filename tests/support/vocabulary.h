/* A small vocabulary and catalogue of their own for tests of the experiment reader: it must not depend on
 * what the models happen to offer. Nothing here can be run. */
#ifndef VDISIM_TESTS_VOCABULARY_H
#define VDISIM_TESTS_VOCABULARY_H

#include "sim/experiment/read/embedded.h"
#include "sim/experiment/read/vocabulary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct test_latency {
    int64_t create_ns, read_ns;
};

struct test_share {
    int64_t size_bytes;
    double iops, egress_bytes_per_s;
    int64_t files;
    bool pooled;
    struct test_latency latency;
};

struct test_disk {
    double iops;
};

struct test_arrivals {
    int64_t window_ns;
    int pattern;
};

struct test_profile {
    int64_t size_bytes, files;
};

struct test_logons {
    int64_t users;
    struct test_arrivals arrivals;
    const char *store, *hosts;
    struct test_profile profile;
    double redirected, factor;
    struct parameter_texts patterns;
    const char *label;
};

struct test_hosts {
    int64_t count;
    double nic_bytes_per_s;
};

struct test_network {
    int64_t round_trip_ns;
};

#define FIELD(type, member) .offset = offsetof(struct type, member)

static const struct parameter test_latency_rows[] = {
    {.name = "create", .type = PARAMETER_DURATION, FIELD(test_latency, create_ns), .help = "Opening a file"},
    {.name = "read", .type = PARAMETER_DURATION, FIELD(test_latency, read_ns), .help = "Reading"},
};
static const struct parameter_table test_latency_table = {.name = "latency",
                                                          .help = "Latencies",
                                                          .size = sizeof(struct test_latency),
                                                          PARAMETER_ROWS(test_latency_rows)};

static const struct parameter test_share_rows[] = {
    {.name = "size",
     .type = PARAMETER_SIZE,
     FIELD(test_share, size_bytes),
     .minimum = 1073741824,
     .maximum = 0x1p47,
     .help = "Provisioned size"},
    {.name = "iops",
     .type = PARAMETER_RATE,
     FIELD(test_share, iops),
     .may_be_unlimited = true,
     .help = "Requests"},
    {.name = "egress", .type = PARAMETER_THROUGHPUT, FIELD(test_share, egress_bytes_per_s), .help = "Reads"},
    {.name = "files",
     .type = PARAMETER_COUNT,
     FIELD(test_share, files),
     .optional = true,
     .help = "Most files"},
    {.name = "pooled",
     .type = PARAMETER_BOOLEAN,
     FIELD(test_share, pooled),
     .optional = true,
     .help = "One pool"},
    {.name = "latency",
     .type = PARAMETER_GROUP,
     FIELD(test_share, latency),
     .group = &test_latency_table,
     .help = "Latencies"},
};

static inline bool test_share_check(const void *settings, struct parameter_problem *problem)
{
    const struct test_share *share = settings;
    if (share->latency.read_ns <= share->latency.create_ns)
        return true;
    problem->parameter = "latency.read";
    snprintf(problem->message, sizeof problem->message, "reading is slower than opening");
    return false;
}

static const struct parameter_table test_share_table = {.name = "share",
                                                        .help = "A file share",
                                                        .size = sizeof(struct test_share),
                                                        .section = "tiers",
                                                        .selector = "tier",
                                                        PARAMETER_ROWS(test_share_rows),
                                                        .check = test_share_check};
static const struct store_kind test_share_kind = {.name = "share", .help = "A file share", .parameters = &test_share_table};

static const struct parameter test_disk_rows[] = {
    {.name = "iops", .type = PARAMETER_RATE, FIELD(test_disk, iops), .help = "Requests"},
};
static const struct parameter_table test_disk_table = {
    .name = "disk", .help = "A disk", .size = sizeof(struct test_disk), PARAMETER_ROWS(test_disk_rows)};
static const struct store_kind test_disk_kind = {.name = "disk", .help = "A disk", .parameters = &test_disk_table};

static const char *const test_patterns[] = {"even", "poisson", "curve", "file", NULL};
static const struct parameter test_arrivals_rows[] = {
    {.name = "window",
     .type = PARAMETER_DURATION,
     FIELD(test_arrivals, window_ns),
     .minimum = 1e9,
     .help = "How long"},
    {.name = "pattern",
     .type = PARAMETER_CHOICE,
     FIELD(test_arrivals, pattern),
     .choices = test_patterns,
     .help = "How"},
};
static const struct parameter_table test_arrivals_table = {.name = "arrivals",
                                                           .help = "Arrivals",
                                                           .size = sizeof(struct test_arrivals),
                                                           PARAMETER_ROWS(test_arrivals_rows)};

static const struct parameter test_profile_rows[] = {
    {.name = "size", .type = PARAMETER_SIZE, FIELD(test_profile, size_bytes), .help = "Size"},
    {.name = "files", .type = PARAMETER_COUNT, FIELD(test_profile, files), .help = "Files"},
};
static const struct parameter_table test_profile_table = {.name = "profile",
                                                          .help = "A profile",
                                                          .size = sizeof(struct test_profile),
                                                          .section = "profiles",
                                                          .selector = "from",
                                                          PARAMETER_ROWS(test_profile_rows)};

static const struct parameter test_logons_rows[] = {
    {.name = "users",
     .type = PARAMETER_COUNT,
     FIELD(test_logons, users),
     .minimum = 1,
     .maximum = 100000,
     .help = "Users"},
    {.name = "arrivals",
     .type = PARAMETER_GROUP,
     FIELD(test_logons, arrivals),
     .group = &test_arrivals_table,
     .help = "When"},
    {.name = "store", .type = PARAMETER_STORE, FIELD(test_logons, store), .help = "Where"},
    {.name = "hosts", .type = PARAMETER_HOSTS, FIELD(test_logons, hosts), .help = "On what"},
    {.name = "profile",
     .type = PARAMETER_GROUP,
     FIELD(test_logons, profile),
     .group = &test_profile_table,
     .help = "What"},
    {.name = "redirected",
     .type = PARAMETER_FRACTION,
     FIELD(test_logons, redirected),
     .maximum = 1,
     .help = "Share"},
    {.name = "factor",
     .type = PARAMETER_NUMBER,
     FIELD(test_logons, factor),
     .minimum = -2,
     .maximum = 2,
     .help = "Factor"},
    {.name = "patterns",
     .type = PARAMETER_TEXTS,
     FIELD(test_logons, patterns),
     .optional = true,
     .help = "Names"},
    {.name = "label", .type = PARAMETER_TEXT, FIELD(test_logons, label), .optional = true, .help = "A text"},
};
static const struct parameter_table test_logons_table = {
    .name = "logons", .help = "Logons", .size = sizeof(struct test_logons), PARAMETER_ROWS(test_logons_rows)};
static const struct workload_kind test_logons_kind = {
    .name = "logons", .help = "Logons", .parameters = &test_logons_table};

static const struct parameter test_hosts_rows[] = {
    {.name = "count", .type = PARAMETER_COUNT, FIELD(test_hosts, count), .minimum = 1, .help = "How many"},
    {.name = "nic", .type = PARAMETER_THROUGHPUT, FIELD(test_hosts, nic_bytes_per_s), .help = "Network card"},
};
static const struct parameter_table test_hosts_table = {.name = "hosts",
                                                        .help = "Hosts",
                                                        .size = sizeof(struct test_hosts),
                                                        .section = "machines",
                                                        .selector = "machine",
                                                        PARAMETER_ROWS(test_hosts_rows)};

static const struct parameter test_network_rows[] = {
    {.name = "round_trip",
     .type = PARAMETER_DURATION,
     FIELD(test_network, round_trip_ns),
     .help = "There and back"},
};
static const struct parameter_table test_network_table = {.name = "network",
                                                          .help = "The network",
                                                          .size = sizeof(struct test_network),
                                                          PARAMETER_ROWS(test_network_rows)};

static const struct parameter test_run_rows[] = {
    {.name = "length",
     .type = PARAMETER_DURATION,
     FIELD(run_settings, length_ns),
     .minimum = 1,
     .help = "How long"},
    {.name = "replications",
     .type = PARAMETER_COUNT,
     FIELD(run_settings, replications),
     .minimum = 1,
     .maximum = 1000000,
     .help = "How often"},
    {.name = "seed", .type = PARAMETER_COUNT, FIELD(run_settings, seed), .help = "Seed"},
};
static const struct parameter_table test_run_table = {
    .name = "run", .help = "The run", .size = sizeof(struct run_settings), PARAMETER_ROWS(test_run_rows)};

static const struct store_kind *const test_store_kinds[] = {&test_share_kind, &test_disk_kind, NULL};
static const struct workload_kind *const test_workload_kinds[] = {&test_logons_kind, NULL};

static const struct vocabulary test_vocabulary = {.stores = test_store_kinds,
                                                  .workloads = test_workload_kinds,
                                                  .hosts = &test_hosts_table,
                                                  .network = &test_network_table,
                                                  .run = &test_run_table};

static const char test_catalogue_text[] =
    "sources: {page-2021: 'A page, 2021'}\n"
    "defaults:\n"
    "  share: {latency.create: {value: 5 ms, status: assumed, note: a guess}}\n"
    "  latency: {read: {value: 2 ms, status: calibrated, source: page-2021}}\n"
    "  arrivals:\n"
    "    window: {value: 60 min, status: published, source: page-2021}\n"
    "    pattern: {value: even, status: published, source: page-2021}\n"
    "  profile: {from: {value: small, status: assumed, note: enough}}\n"
    "  logons:\n"
    "    redirected: {value: 87.5 %, status: published, source: page-2021}\n"
    "    factor: {value: -1.5, status: derived, source: page-2021}\n"
    "  hosts:\n"
    "    machine: {value: azure/f16, status: published, source: page-2021}\n"
    "    count: {value: 30, status: published, source: page-2021}\n"
    "  network: {round_trip: {value: 0.17 ms, status: published, source: page-2021}}\n"
    "  run:\n"
    "    length: {value: 60 min, status: published, source: page-2021}\n"
    "    replications: {value: 20, status: assumed, note: enough}\n"
    "    seed: {value: 1, status: assumed, note: any}\n"
    "tiers:\n"
    "  azure-files/premium:\n"
    "    kind: share\n"
    "    title: Premium\n"
    "    values:\n"
    "      iops: {value: 1000 IOPS, status: published, source: page-2021}\n"
    "      egress: {value: 60 MiB/s, status: published, source: page-2021}\n"
    "      latency.create: {value: 4 ms, status: published, source: page-2021}\n"
    "    rules:\n"
    "      - {name: A, from: 2019-06, values: {iops: {value: 100 IOPS, status: published, source: "
    "page-2021}}}\n"
    "      - {name: B, from: 2020-07, values: {iops: {value: 400 IOPS, status: published, source: "
    "page-2021}}}\n"
    "      - {name: C, from: 2021-11-15, values: {iops: {value: 3000 IOPS, status: published, source: "
    "page-2021}}}\n"
    "  azure-files/hot:\n"
    "    kind: share\n"
    "    values:\n"
    "      iops: {value: unlimited, status: published, source: page-2021}\n"
    "      egress: {value: 300 MB/s, status: published, source: page-2021}\n"
    "      size: {value: 5 TiB, status: published, source: page-2021}\n"
    "profiles:\n"
    "  small:\n"
    "    values:\n"
    "      size: {value: 30 MB, status: published, source: page-2021}\n"
    "      files: {value: 100, status: published, source: page-2021}\n"
    "  large:\n"
    "    values:\n"
    "      size: {value: 4.7 GB, status: published, source: page-2021}\n"
    "      files: {value: '2,000', status: published, source: page-2021}\n"
    "machines:\n"
    "  azure/f16: {values: {nic: {value: 12.5 Gbit/s, status: published, source: page-2021}}}\n";

static const struct embedded_file test_catalogue[] = {
    {"test.yaml", test_catalogue_text, sizeof test_catalogue_text - 1},
    {NULL, NULL, 0},
};

#undef FIELD

#endif
