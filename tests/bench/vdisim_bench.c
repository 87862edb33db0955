/* vdisim-bench: runs the benchmarks and prints a table, or one JSON document.
 *
 *     vdisim-bench [--json] [--repeat N] [NAME-PREFIX...]
 *
 * Exit status: 0 all within their limits, 3 a limit missed, 2 wrong usage, 1 a benchmark failed. */
#include "tests/bench/bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct bench *const tables[] = {bench_kernel, bench_models, bench_block, bench_pvs};

#define BENCHES_MAX 64
#define REPEATS_MAX 25

struct result {
    const struct bench *bench;
    double figures[REPEATS_MAX];
    unsigned count;
    double median;
    double ratio; /* to relative_to, or 0 */
    bool failed;
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const struct result *find(const struct result *results, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(results[i].bench->name, name) == 0)
            return &results[i];
    return NULL;
}

static bool wanted(const struct bench *bench, char **prefixes, int count)
{
    for (int i = 0; i < count; i++)
        if (strncmp(bench->name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return count == 0;
}

static double held_to_limit(const struct result *result)
{
    return result->bench->relative_to ? result->ratio : result->median;
}

static bool over(const struct result *result)
{
    return result->bench->limit > 0 && held_to_limit(result) > result->bench->limit;
}

static void print_table(const struct result *results, unsigned count)
{
    printf("%-28s %12s %-6s %8s  %-20s %s\n", "benchmark", "median", "unit", "ratio", "to", "limit");
    for (unsigned i = 0; i < count; i++) {
        const struct bench *bench = results[i].bench;
        if (results[i].failed) {
            printf("%-28s failed\n", bench->name);
            continue;
        }
        printf("%-28s %12.2f %-6s ", bench->name, results[i].median, bench->unit);
        if (bench->relative_to)
            printf("%8.2f  %-20s", results[i].ratio, bench->relative_to);
        else
            printf("%8s  %-20s", "", "");
        if (bench->limit > 0)
            printf(" %g %s", bench->limit, over(&results[i]) ? "MISSED" : "ok");
        printf("\n");
    }
}

static void print_json(const struct result *results, unsigned count)
{
    printf("{\"benchmarks\": [");
    for (unsigned i = 0; i < count; i++) {
        const struct bench *bench = results[i].bench;
        printf("%s\n  {\"name\": \"%s\", \"unit\": \"%s\", ", i ? "," : "", bench->name, bench->unit);
        if (results[i].failed) {
            printf("\"failed\": true}");
            continue;
        }
        printf("\"median\": %.4f, \"least\": %.4f, \"most\": %.4f, \"repeats\": %u", results[i].median,
               results[i].figures[0], results[i].figures[results[i].count - 1], results[i].count);
        if (bench->relative_to)
            printf(", \"relative_to\": \"%s\", \"ratio\": %.4f", bench->relative_to, results[i].ratio);
        if (bench->limit > 0)
            printf(", \"limit\": %g, \"within\": %s", bench->limit, over(&results[i]) ? "false" : "true");
        printf("}");
    }
    printf("\n]}\n");
}

/* The ratios are taken repeat by repeat, so that a machine that slows down meanwhile harms them little. */
static void summarise(struct result *results, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct result *result = &results[i];
        const struct result *base = result->bench->relative_to ? find(results, count, result->bench->relative_to) : NULL;
        if (base && !result->failed && !base->failed) {
            double ratios[REPEATS_MAX];
            unsigned pairs = result->count < base->count ? result->count : base->count;
            for (unsigned k = 0; k < pairs; k++)
                ratios[k] = result->figures[k] / base->figures[k];
            qsort(ratios, pairs, sizeof *ratios, ascending);
            result->ratio = pairs ? ratios[pairs / 2] : 0;
        }
    }
    for (unsigned i = 0; i < count; i++) {
        qsort(results[i].figures, results[i].count, sizeof *results[i].figures, ascending);
        if (results[i].count)
            results[i].median = results[i].figures[results[i].count / 2];
    }
}

static int usage(void)
{
    fprintf(stderr, "usage: vdisim-bench [--json] [--repeat N] [NAME-PREFIX...]\n");
    return 2;
}

int main(int argc, char **argv)
{
    bool json = false;
    unsigned repeats = 5;
    int next = 1;
    for (; next < argc && strncmp(argv[next], "--", 2) == 0; next++) {
        if (strcmp(argv[next], "--json") == 0) {
            json = true;
        } else if (strcmp(argv[next], "--repeat") == 0 && next + 1 < argc) {
            long value = strtol(argv[++next], NULL, 10);
            if (value < 1 || value > REPEATS_MAX)
                return usage();
            repeats = (unsigned)value;
        } else {
            return usage();
        }
    }

    static struct result results[BENCHES_MAX];
    unsigned count = 0;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct bench *bench = tables[t]; bench->name && count < BENCHES_MAX; bench++)
            if (wanted(bench, argv + next, argc - next))
                results[count++].bench = bench;

    for (unsigned k = 0; k < repeats; k++) {
        for (unsigned i = 0; i < count; i++) {
            struct result *result = &results[i];
            if (result->failed || (result->bench->repeat && k >= result->bench->repeat))
                continue;
            double figure = result->bench->measure();
            result->failed = figure < 0;
            result->figures[result->count++] = figure;
        }
    }
    summarise(results, count);
    if (json)
        print_json(results, count);
    else
        print_table(results, count);

    int status = 0;
    for (unsigned i = 0; i < count; i++) {
        if (results[i].failed)
            return 1;
        if (over(&results[i]))
            status = 3;
    }
    return status;
}
