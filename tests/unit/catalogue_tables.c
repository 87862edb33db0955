/* The tables on providers' pages against the built-in catalogue: what it says of a tier, a size and a date is the printed
 * number, to the last digit. */
#include "sim/experiment/read/stated_store.h"
#include "tests/support/check.h"
#include "tests/support/problems.h"

#include <stdio.h>
#include <string.h>

struct book {
    struct problems *problems;
    struct opened_catalogue *opened;
};

static struct book book_open(void)
{
    struct book book = {.problems = problems_create()};
    book.opened = catalogue_open(NULL, 0, book.problems);
    assert_no_errors(book.problems);
    return book;
}

static void book_close(struct book *book)
{
    catalogue_close(book->opened);
    problems_destroy(book->problems);
}

static struct stated_store state_store(const struct book *book, const char *entry, const char *rules,
                                       double gib, const char *set, const char *more)
{
    char size[32];
    const char *sets[] = {set, more};
    snprintf(size, sizeof size, "%.0f GiB", gib);
    const struct stated_store_request request = {.entry = entry,
                                                 .rules = rules,
                                                 .size = gib > 0 ? size : NULL,
                                                 .sets = sets,
                                                 .set_count = set == NULL    ? 0
                                                              : more == NULL ? 1
                                                                             : 2};
    struct stated_store stated;
    const bool fine = stated_store_read(book->opened, &request, book->problems, &stated);
    assert_no_errors(book->problems);
    assert_true(fine);
    return stated;
}

static double value_of(const struct stated_store *stated, const char *name)
{
    const struct entitlement_row *row = entitlement_row(&stated->entitlement, name);
    return row != NULL ? row->value : NAN;
}

/* Exactly: the printed numbers are whole. */
static void check_limit(const struct stated_store *stated, const char *name, double expected, int line)
{
    const double value = value_of(stated, name);
    if (value == expected)
        return;
    print_error("%s: %s is %.17g, expected %.17g\n", stated->entry->name, name, value, expected);
    _fail(__FILE__, line);
}
#define assert_limit(stated, name, expected) check_limit((stated), (name), (expected), __LINE__)

struct row {
    double gib, base, burst, credits, egress, ingress; /* credits 0: not printed */
};

static void check_premium(const char *date, const struct row *rows, size_t count)
{
    struct book book = book_open();
    for (size_t i = 0; i < count; i++) {
        const struct stated_store stated =
            state_store(&book, "azure-files/premium", date, rows[i].gib, NULL, NULL);
        assert_limit(&stated, "iops.base", rows[i].base);
        assert_limit(&stated, "iops.burst", rows[i].burst);
        if (rows[i].credits > 0)
            assert_limit(&stated, "credits.full", rows[i].credits);
        if (rows[i].ingress > 0) {
            assert_limit(&stated, "egress", rows[i].egress);
            assert_limit(&stated, "ingress", rows[i].ingress);
        } else {
            assert_limit(&stated, "throughput", rows[i].egress);
        }
    }
    book_close(&book);
}

static void premium_of_early_2020_is_the_printed_one(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {100, 100, 300, 720000, 66, 44},           {256, 256, 768, 1843200, 76, 51},
        {1024, 1024, 3072, 7372800, 122, 81},      {5120, 5120, 15360, 36864000, 368, 245},
        {10240, 10240, 30720, 73728000, 675, 450}, {33792, 33792, 100000, 0, 2088, 1392},
        {102400, 100000, 100000, 0, 6204, 4136},
    };
    check_premium("2020-01", rows, sizeof rows / sizeof rows[0]);
}

static void premium_of_january_2021_is_the_printed_one(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {100, 500, 4000, 12600000, 66, 44},
        {256, 656, 4000, 12038400, 76, 51},
        {500, 900, 4000, 0, 90, 60},
        {1024, 1424, 4000, 9273600, 122, 81},
        {5120, 5520, 15360, 35424000, 368, 245},
        {10240, 10640, 30720, 72288000, 675, 450},
        {33792, 34192, 100000, 0, 2088, 1392},
        {51200, 51600, 100000, 0, 3132, 2088},
        {102400, 100000, 100000, 0, 6204, 4136},
    };
    check_premium("2021-01", rows, sizeof rows / sizeof rows[0]);
}

static void premium_of_2022_is_the_printed_one(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {100, 3100, 10000, 24840000, 110, 0},       {500, 3500, 10000, 23400000, 150, 0},
        {1024, 4024, 10000, 21513600, 203, 0},      {5120, 8120, 15360, 26064000, 613, 0},
        {10240, 13240, 30720, 62928000, 1125, 0},   {33792, 36792, 100000, 227548800, 3480, 0},
        {51200, 54200, 100000, 164880000, 5220, 0}, {102400, 100000, 100000, 0, 10340, 0},
    };
    check_premium("2022-11", rows, sizeof rows / sizeof rows[0]);
}

/* Above 32 TiB by the formulas: the page's own table was partly computed with the older maximum. */
static void premium_of_2025_is_the_printed_one(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {100, 3100, 10000, 24840000, 110, 0},       {500, 3500, 10000, 23400000, 150, 0},
        {1024, 4024, 10000, 21513600, 203, 0},      {5120, 8120, 15360, 26064000, 613, 0},
        {10240, 13240, 30720, 62928000, 1125, 0},   {33792, 36792, 101376, 232502400, 3480, 0},
        {51200, 54200, 102400, 173520000, 5220, 0}, {102400, 102400, 102400, 0, 10340, 0},
    };
    check_premium("2025-06", rows, sizeof rows / sizeof rows[0]);
}

static void provisioned_v2_is_the_printed_one(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        double iops, burst, credits;
    } rows[] = {
        {"azure-files/hdd-v2", 500, 5000, 16200000},        {"azure-files/hdd-v2", 1000, 5000, 14400000},
        {"azure-files/ssd-v2", 3000, 10000, 25200000},      {"azure-files/hdd-v2", 3000, 9000, 21600000},
        {"azure-files/ssd-v2", 5000, 15000, 36000000},      {"azure-files/hdd-v2", 5000, 15000, 36000000},
        {"azure-files/ssd-v2", 10000, 30000, 72000000},     {"azure-files/hdd-v2", 10000, 30000, 72000000},
        {"azure-files/ssd-v2", 25000, 75000, 180000000},    {"azure-files/hdd-v2", 25000, 50000, 90000000},
        {"azure-files/ssd-v2", 50000, 102400, 188640000},   {"azure-files/hdd-v2", 50000, 50000, 0},
        {"azure-files/ssd-v2", 75000, 102400, 98640000},    {"azure-files/ssd-v2", 102400, 102400, 0},
        {"azure-files/ssd-v2-nfs", 10000, 30000, 72000000},
    };
    struct book book = book_open();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char set[48];
        snprintf(set, sizeof set, "iops=%.0f IOPS", rows[i].iops);
        const struct stated_store stated = state_store(&book, rows[i].entry, NULL, 1024, set, NULL);
        assert_limit(&stated, "iops.base", rows[i].iops);
        assert_limit(&stated, "iops.burst", rows[i].burst);
        assert_limit(&stated, "credits.full", rows[i].credits);
    }
    book_close(&book);
}

static void provisioned_v2_recommends_by_size(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        double gib, iops, mib_per_s;
    } rows[] = {
        {"azure-files/ssd-v2", 32, 3032, 104},       {"azure-files/ssd-v2", 1024, 4024, 203},
        {"azure-files/ssd-v2", 10240, 13240, 1124},  {"azure-files/ssd-v2", 262144, 102400, 10340},
        {"azure-files/hdd-v2", 32, 1007, 61},        {"azure-files/hdd-v2", 1024, 1205, 81},
        {"azure-files/hdd-v2", 262144, 50000, 5120},
    };
    struct book book = book_open();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stated_store stated = state_store(&book, rows[i].entry, NULL, rows[i].gib, NULL, NULL);
        assert_limit(&stated, "iops.base", rows[i].iops);
        assert_limit(&stated, "throughput", rows[i].mib_per_s);
    }
    const struct stated_store bought =
        state_store(&book, "azure-files/ssd-v2", NULL, 10240, "iops=13240 IOPS", "throughput=1125 MiB/s");
    assert_limit(&bought, "throughput", 1125.0);
    book_close(&book);
}

static void pay_as_you_go_follows_its_dates(void **state)
{
    (void)state;
    static const struct {
        const char *entry, *date;
        double iops, egress, account_egress, metadata;
    } rows[] = {
        {"azure-files/transaction-optimized-default", "2019-05", 1000, 60, 47683, 2000},
        {"azure-files/hot-default", "2021-02", 1000, 60, 47683, 2000},
        {"azure-files/transaction-optimized", "2021-02", 10000, 300, 47683, 2000},
        {"azure-files/hot", "2021-10", 20000, 300, 47683, 2000},
        {"azure-files/cool", "2022-11", 20000, INFINITY, 5960, 2000},
        {"azure-files/transaction-optimized", "2025-08", 20000, INFINITY, 6400, 12000},
    };
    struct book book = book_open();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stated_store stated = state_store(&book, rows[i].entry, rows[i].date, 5120, NULL, NULL);
        assert_limit(&stated, "iops.base", rows[i].iops);
        assert_limit(&stated, "egress", rows[i].egress);
        assert_limit(&stated, "account.egress", rows[i].account_egress);
        assert_limit(&stated, "iops.metadata", rows[i].metadata);
        assert_true(isnan(value_of(&stated, "credits.full")));
    }
    book_close(&book);
}

/* Whatever the size; of premium with metadata caching, and of NFS, more. */
static void metadata_has_a_limit_of_its_own(void **state)
{
    (void)state;
    static const struct {
        const char *entry, *date, *set;
        double iops;
    } rows[] = {{"azure-files/premium", "2021-01", NULL, 12000},
                {"azure-files/premium", "2025-08", NULL, 12000},
                {"azure-files/premium", "2025-08", "metadata_caching=true", 35000},
                {"azure-files/ssd-v2", "2025-08", "metadata_caching=true", 35000},
                {"azure-files/premium-nfs", "2025-08", NULL, 35000},
                {"azure-files/hdd-v2", "2024-08", NULL, 12000}};
    struct book book = book_open();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (double gib = 100; gib <= 102400; gib *= 1024) {
            const struct stated_store stated =
                state_store(&book, rows[i].entry, rows[i].date, gib, rows[i].set, NULL);
            assert_limit(&stated, "iops.metadata", rows[i].iops);
        }
    book_close(&book);
}

static void netapp_has_throughput_by_size_and_level(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        double gib;
        const char *set, *more;
        double mib_per_s;
    } rows[] = {
        {"azure-netapp-files/netapp-standard", 1024, NULL, NULL, 16},
        {"azure-netapp-files/netapp-premium", 2048, NULL, NULL, 128},
        {"azure-netapp-files/netapp-ultra", 4096, NULL, NULL, 512},
        {"azure-netapp-files/netapp-ultra", 102400, NULL, NULL, 4500},
        {"azure-netapp-files/netapp-premium-manual", 100, NULL, NULL, 6.25},
        {"azure-netapp-files/netapp-premium-manual", 100, "pool_size=4 TiB", "throughput=256 MiB/s", 256},
        {"azure-netapp-files/netapp-flexible", 1024, NULL, NULL, 128},
        {"azure-netapp-files/netapp-flexible", 1024, "throughput=640 MiB/s", NULL, 640},
    };
    struct book book = book_open();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stated_store stated =
            state_store(&book, rows[i].entry, NULL, rows[i].gib, rows[i].set, rows[i].more);
        assert_limit(&stated, "throughput", rows[i].mib_per_s);
    }
    const struct stated_store standard =
        state_store(&book, "azure-netapp-files/netapp-standard", NULL, 1024, NULL, NULL);
    assert_limit(&standard, "iops.of_8_kib", 2048);
    /* The page's example of a volume that is part of its pool. */
    const struct stated_store part = state_store(&book, "azure-netapp-files/netapp-premium", NULL, 100,
                                                 "size_min=100 GiB", "size_step=1 GiB");
    assert_limit(&part, "throughput", 6.25);
    book_close(&book);
}

static void premium_disks_are_the_printed_ones(void **state)
{
    (void)state;
    static const struct {
        const char *disk;
        double gib, iops, burst_iops, mb, burst_mb; /* burst 0: only on demand */
    } rows[] = {
        {"p1", 4, 120, 3500, 25, 170},      {"p2", 8, 120, 3500, 25, 170},
        {"p3", 16, 120, 3500, 25, 170},     {"p4", 32, 120, 3500, 25, 170},
        {"p6", 64, 240, 3500, 50, 170},     {"p10", 128, 500, 3500, 100, 170},
        {"p15", 256, 1100, 3500, 125, 170}, {"p20", 512, 2300, 3500, 150, 170},
        {"p30", 1024, 5000, 0, 200, 0},     {"p40", 2048, 7500, 0, 250, 0},
        {"p50", 4096, 7500, 0, 250, 0},     {"p60", 8192, 16000, 0, 500, 0},
        {"p70", 16384, 18000, 0, 750, 0},   {"p80", 32767, 20000, 0, 900, 0},
    };
    struct book book = book_open();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char set[48];
        snprintf(set, sizeof set, "disk=azure/%s", rows[i].disk);
        struct stated_store stated = state_store(&book, "file-server/d8s-v3-p10", NULL, 0, set, "disks=1");
        assert_true(stated.size_bytes == (int64_t)rows[i].gib << 30);
        assert_limit(&stated, "disks.iops", rows[i].iops);
        assert_limit(&stated, "disks.throughput", rows[i].mb);
        if (rows[i].burst_iops > 0) {
            assert_limit(&stated, "disks.iops.burst", rows[i].burst_iops);
            assert_limit(&stated, "disks.throughput.burst", rows[i].burst_mb);
            assert_limit(&stated, "disks.iops.credits", (rows[i].burst_iops - rows[i].iops) * 1800);
            assert_limit(&stated, "disks.iops.drain", 1800);
            assert_limit(&stated, "disks.iops.refill",
                         (rows[i].burst_iops - rows[i].iops) * 1800 / rows[i].iops);
        } else {
            assert_true(isnan(value_of(&stated, "disks.iops.burst")));
            stated = state_store(&book, "file-server/d8s-v3-p10", NULL, 0, set, "on_demand_bursting=true");
            assert_limit(&stated, "disks.iops", 4 * 30000.0);
            assert_limit(&stated, "disks.throughput", 4 * 1000.0);
        }
    }
    book_close(&book);
}

static void machines_are_the_printed_ones(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        double iops, mb, cached_iops, cached_mb, nic_mb;
    } rows[] = {
        {"d2s", 3200, 48, 4000, 32, 125},       {"d4s", 6400, 96, 8000, 64, 250},
        {"d8s", 12800, 192, 16000, 128, 500},   {"d16s", 25600, 384, 32000, 256, 1000},
        {"d32s", 51200, 768, 64000, 512, 2000}, {"d64s", 80000, 1200, 128000, 1024, 3750},
    };
    struct book book = book_open();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char set[48];
        snprintf(set, sizeof set, "machine=azure/%s-v3", rows[i].machine);
        const struct stated_store stated =
            state_store(&book, "file-server/d32s-v3-p30", NULL, 0, set, "host_caching=read-only");
        assert_limit(&stated, "machine.iops", rows[i].iops);
        assert_limit(&stated, "machine.throughput", rows[i].mb);
        assert_limit(&stated, "cache.iops", rows[i].cached_iops);
        assert_limit(&stated, "cache.throughput", rows[i].cached_mb);
        assert_limit(&stated, "network", rows[i].nic_mb);
    }
    book_close(&book);
}

static void fsx_is_the_printed_one(void **state)
{
    (void)state;
    static const struct {
        int capacity;
        double network, network_burst, memory, disk, disk_burst, iops, burst_iops; /* a burst of 0: none */
    } rows[] = {
        {32, 32, 600, 4, 32, 260, 2000, 12000},     {64, 64, 600, 8, 64, 350, 4000, 16000},
        {128, 150, 1250, 8, 128, 600, 6000, 20000}, {256, 300, 1250, 16, 256, 600, 10000, 20000},
        {512, 600, 1250, 32, 512, 0, 20000, 0},     {1024, 1500, 0, 72, 1024, 0, 40000, 0},
        {2048, 3125, 0, 144, 2048, 0, 80000, 0},
    };
    struct book book = book_open();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char set[48];
        snprintf(set, sizeof set, "server=mbps-%d", rows[i].capacity);
        const struct stated_store stated =
            state_store(&book, "amazon-fsx/windows-ssd", NULL, 2048, set, "cache_share=100 %");
        assert_limit(&stated, "network", rows[i].network);
        assert_limit(&stated, "server.throughput", rows[i].disk);
        assert_limit(&stated, "server.iops", rows[i].iops);
        assert_limit(&stated, "cache.size", rows[i].memory);
        assert_limit(&stated, "volumes.throughput", 1500);
        assert_limit(&stated, "volumes.iops", 6144);
        if (rows[i].network_burst > 0)
            assert_limit(&stated, "network.burst", rows[i].network_burst);
        if (rows[i].disk_burst > 0) {
            assert_limit(&stated, "server.throughput.burst", rows[i].disk_burst);
            assert_limit(&stated, "server.iops.burst", rows[i].burst_iops);
            assert_limit(&stated, "server.throughput.drain", 1800);
        }
        assert_true((rows[i].network_burst > 0) == !isnan(value_of(&stated, "network.burst")));
        assert_true((rows[i].disk_burst > 0) == !isnan(value_of(&stated, "server.throughput.burst")));
    }
    /* The guide's example: 2 TiB of HDD behind 32 MB/s. */
    const struct stated_store hdd =
        state_store(&book, "amazon-fsx/windows-hdd", NULL, 2048, "server=mbps-32", NULL);
    assert_limit(&hdd, "network", 32);
    assert_limit(&hdd, "network.burst", 600);
    assert_limit(&hdd, "disk.throughput", 24);
    assert_limit(&hdd, "disk.throughput.burst", 160);
    assert_near(value_of(&hdd, "volumes.throughput.credits"), 2 * 1099511.627776, 0.1); /* 1 TiB a TiB */
    const struct stated_store old = state_store(&book, "amazon-fsx/windows-ssd", NULL, 2048,
                                                "server={capacity: mbps-256, rules: 2018-12}", NULL);
    assert_limit(&old, "network.burst", 438);
    book_close(&book);
}

/* What disks can do by arithmetic: 79 IOPS of a disk of 7,200 rpm, and RAID's price of a small write. */
static void arrays_are_the_sum_of_their_disks(void **state)
{
    (void)state;
    struct book book = book_open();
    const struct stated_store mirrored = state_store(&book, "array/hdd-raid10", NULL, 0, NULL, NULL);
    const struct stated_store parity = state_store(&book, "array/hdd-raid5", NULL, 0, NULL, NULL);
    const struct stated_store double_parity = state_store(&book, "array/hdd-raid6", NULL, 0, NULL, NULL);
    const double disk = 1.0 / (0.0085 + 0.008333 / 2.0 + 4096.0 / 129e6);
    assert_near_relative(value_of(&mirrored, "iops.reads"), 8.0 * disk, 1e-6);
    assert_near_relative(value_of(&mirrored, "iops.writes"), 8.0 * disk / 2.0, 1e-6);
    assert_near_relative(value_of(&parity, "iops.writes"), 8.0 * disk / 4.0, 1e-6);
    assert_near_relative(value_of(&double_parity, "iops.writes"), 8.0 * disk / 6.0, 1e-6);
    assert_near_relative(value_of(&parity, "size"), 7.0 / 4.0 * value_of(&mirrored, "size"), 1e-3);
    const struct stated_store flash = state_store(&book, "array/ssd-raid10", NULL, 0, NULL, NULL);
    assert_near_relative(value_of(&flash, "iops.reads"), 8.0 * 100000.0, 1e-6);
    book_close(&book);
}

/* Every tier can be stated, at some size it is sold in. */
static void every_tier_has_an_entitlement(void **state)
{
    (void)state;
    struct book book = book_open();
    const struct catalogue_section *tiers = catalogue_section(book.opened->catalogue, "tiers");
    for (size_t i = 0; i < tiers->count; i++) {
        const struct catalogue_entry *entry = tiers->entries[i];
        const bool has_size = strcmp(entry->kind, "share") == 0 || strcmp(entry->kind, "fsx-windows") == 0;
        const struct stated_store stated =
            state_store(&book, entry->name, NULL, has_size ? 4096 : 0, NULL, NULL);
        assert_true(stated.entitlement.count > 0 || stated.kind->entitle == NULL);
        for (size_t row = 0; row < stated.entitlement.count; row++)
            assert_true(stated.entitlement.rows[row].value >= 0.0);
    }
    book_close(&book);
}

struct found {
    char text[4096];
};

static void collect(void *context, const struct catalogue_contradiction *contradiction)
{
    struct found *found = context;
    const size_t length = strlen(found->text);
    snprintf(found->text + length, sizeof found->text - length, "%s|", contradiction->says);
}

static void contradictions_are_those_of_size_and_date(void **state)
{
    (void)state;
    struct book book = book_open();
    struct found found = {""};
    struct stated_store stated = state_store(&book, "azure-files/premium", "2021-01", 10240, NULL, NULL);
    stated_store_contradictions(&stated, collect, &found);
    assert_non_null(strstr(found.text, "10,240 baseline IOPS"));
    found.text[0] = '\0';
    stated = state_store(&book, "azure-files/premium", "2021-01", 5120, NULL, NULL);
    stated_store_contradictions(&stated, collect, &found);
    assert_null(strstr(found.text, "10,240 baseline IOPS"));
    assert_non_null(strstr(found.text, "16,560"));
    found.text[0] = '\0';
    stated = state_store(&book, "azure-files/premium", "2025-06", 10240, NULL, NULL);
    stated_store_contradictions(&stated, collect, &found);
    assert_null(strstr(found.text, "16,560"));
    found.text[0] = '\0';
    stated = state_store(&book, "azure-files/hot", "2021-01", 10240, NULL, NULL);
    stated_store_contradictions(&stated, collect, &found);
    assert_non_null(strstr(found.text, "12,000 opens and closes"));
    found.text[0] = '\0';
    stated = state_store(&book, "azure-files/hot", "2025-08", 10240, NULL, NULL);
    stated_store_contradictions(&stated, collect, &found);
    assert_null(strstr(found.text, "12,000 opens and closes"));
    book_close(&book);
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    static const struct {
        struct stated_store_request request;
        const char *expected;
    } cases[] = {
        {{.entry = "azure-files/premum"},
         "there is no tier 'azure-files/premum'. Did you mean azure-files/premium?"},
        {{.entry = "azure-files/premium", .rules = "2018-01", .size = "1 TiB"}, "begin with 2019-06"},
        {{.entry = "azure-files/premium", .size = "50 GiB"}, "this tier is sold from 100 to 102,400 GiB"},
        {{.entry = "azure-files/premium"}, "needs the key size"},
    };
    struct book book = book_open();
    struct stated_store stated;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_false(stated_store_read(book.opened, &cases[i].request, book.problems, &stated));
        assert_problem(book.problems, cases[i].expected);
    }
    book_close(&book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(premium_of_early_2020_is_the_printed_one),
        cmocka_unit_test(premium_of_january_2021_is_the_printed_one),
        cmocka_unit_test(premium_of_2022_is_the_printed_one),
        cmocka_unit_test(premium_of_2025_is_the_printed_one),
        cmocka_unit_test(provisioned_v2_is_the_printed_one),
        cmocka_unit_test(provisioned_v2_recommends_by_size),
        cmocka_unit_test(pay_as_you_go_follows_its_dates),
        cmocka_unit_test(metadata_has_a_limit_of_its_own),
        cmocka_unit_test(netapp_has_throughput_by_size_and_level),
        cmocka_unit_test(premium_disks_are_the_printed_ones),
        cmocka_unit_test(machines_are_the_printed_ones),
        cmocka_unit_test(fsx_is_the_printed_one),
        cmocka_unit_test(arrays_are_the_sum_of_their_disks),
        cmocka_unit_test(every_tier_has_an_entitlement),
        cmocka_unit_test(contradictions_are_those_of_size_and_date),
        cmocka_unit_test(what_is_not_there_is_refused),
    };
    return RUN_TESTS(tests);
}
