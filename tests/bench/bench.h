/* Benchmarks: each is a function that measures one thing once and returns one figure. The program runs the table of them
 * several times over, in turn, and reports the median of each. What counts are the ratios between figures of one run: they
 * travel between machines, nanoseconds do not.
 *
 * To add some, write bench_NAME.c with a table `const struct bench bench_NAME[]` that ends in {0}, declare it below and
 * name it in vdisim_bench.c. */
#ifndef VDISIM_BENCH_H
#define VDISIM_BENCH_H

#include <stdint.h>
#include <time.h>

struct bench {
    const char *name;           /* lower case with dots */
    const char *unit;           /* of the figure: "ns", "bytes" */
    double (*measure)(void);    /* measures once; < 0: failed */
    const char *relative_to;    /* name of the benchmark that it is divided by, NULL: none */
    double limit;               /* the largest ratio (or figure, if relative to none) that is fine; 0: no limit */
    unsigned repeat;            /* how often at most; 0: as often as the others */
};

extern const struct bench bench_kernel[];
extern const struct bench bench_models[];
extern const struct bench bench_pvs[];
extern const struct bench bench_block[];

/* CPU time of this process. */
static inline double bench_cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

#endif
