/* What `vdisim run` was asked for on its command line. */
#ifndef VDISIM_RUN_REQUEST_H
#define VDISIM_RUN_REQUEST_H

#include "sim/command/options.h"
#include "sim/experiment/read/experiment.h"
#include "sim/experiment/result/result.h"

struct run_request {
    char **files;
    size_t file_count;
    enum output_format format;
    struct experiment_options experiment;
    const char **sets, **catalogues;
    size_t jobs;
    const char *out;
    bool force, no_results, quiet;
    enum progress_style progress;
    const char *archive; /* NULL: none */
    bool resume;
    struct shard shard;                     /* count 0: the whole */
    const char *select_best, *indifference; /* NULL: no selection */
    const atomic_bool *cancel;              /* set by the command: true once it is to end */
};

/* Reads the arguments; as argp does, ends the program when they are wrong or ask for help. False when memory is
 * short. Released in either case. */
bool run_request_read(struct run_request *request, int argc, char **argv);
void run_request_release(struct run_request *request);

#endif
