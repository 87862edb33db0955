/* A run repeated from its own manifest, and held against what the manifest records.
 *
 *     struct rerun *rerun = rerun_open("results/small", problems);       a manifest, or the folder that holds one
 *     rerun_tell_inputs(rerun, &notes);                                  which files on the disk have changed since
 *     struct result *result = experiment_execute(rerun_experiment(rerun), {.selection = rerun_selection(rerun), ...});
 *     enum rerun_answer answer = rerun_compare(rerun, result, &report, &notes, message, sizeof message);
 *     result_destroy(result);
 *     rerun_close(rerun);
 *
 * What is run are the texts in the manifest, never the files on the disk. Every file of the folder is compared byte by
 * byte, the manifest but for what names the program; where only the manifest is left the checksums in it are.
 */
#ifndef VDISIM_RERUN_H
#define VDISIM_RERUN_H

#include "sim/experiment/result/result.h"
#include "sim/experiment/result/writer.h"

struct rerun;

/* NULL with the problems added: no manifest, one that was edited or does not hold enough, one of an interrupted run
 * (there is nothing whole to compare with), or an experiment that this program does not accept. */
struct rerun *rerun_open(const char *path, struct problems *problems);
void rerun_close(struct rerun *rerun);

const struct experiment *rerun_experiment(const struct rerun *rerun);

/* NULL when the best cell was not sought. */
const struct selection_request *rerun_selection(const struct rerun *rerun);

/* A line for each input that is not on the disk any more or reads otherwise there. */
void rerun_tell_inputs(const struct rerun *rerun, struct writer *notes);

enum rerun_answer {
    RERUN_IDENTICAL,
    RERUN_DIFFERS,
    RERUN_FAILED, /* a file could not be read, or memory was short */
};

/* Writes which files are identical, where the others first differ, and why they may: what is another about the program
 * since. `notes` gets what is another but made no difference. The message is for RERUN_FAILED. */
enum rerun_answer rerun_compare(const struct rerun *rerun, const struct result *result, struct writer *report,
                                struct writer *notes, char *message, size_t message_size);

#endif
