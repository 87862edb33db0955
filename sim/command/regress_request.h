/* What `vdisim regress` was asked for on its command line, and the experiment files that this means. */
#ifndef VDISIM_REGRESS_REQUEST_H
#define VDISIM_REGRESS_REQUEST_H

#include "sim/command/progress.h"
#include "sim/experiment/read/experiment.h"

struct regress_request {
    const char **operands; /* files and folders */
    size_t operand_count;
    const char *baselines; /* the folder */
    const char **catalogues;
    size_t catalogue_count;
    int64_t replications; /* 0: as many as the baseline has */
    bool quick, update, json, quiet;
    bool is_whole; /* nothing named: every experiment that has a baseline should be there */
    const char *because;
    size_t jobs;
    enum progress_style progress;
};

/* Reads the arguments; as argp does, ends the program when they are wrong or ask for help. False when memory is
 * short. Released in either case. */
bool regress_request_read(struct regress_request *request, int argc, char **argv);
void regress_request_release(struct regress_request *request);

/* The experiment files: those named, and of folders every *.yaml in the order of their names. NULL with a message;
 * *is_usage tells what could be read but is not fit from what could not be read. Freed by regress_files_free(). */
char **regress_files(const struct regress_request *request, size_t *count, bool *is_usage, char *message,
                     size_t message_size);
void regress_files_free(char **files, size_t count);

#endif
