/* The lab: an experiment as a text, run in one place and looked at while it runs.
 *
 * What the page in the browser calls, compiled to WebAssembly; plain C, so that it can be tested anywhere. Everything it hands
 * out is text: JSON for the page, and the very files that `vdisim run` writes.
 *
 *     struct lab *lab = lab_open(text);
 *     if (lab_is_fine(lab) && lab_run(lab, look, context))
 *         puts(lab_document(lab, "cells.csv"));
 *     else
 *         puts(lab_problems(lab));
 *     lab_close(lab);
 *
 * A text that is handed out belongs to the lab and is valid until the next call. NULL: memory is short.
 */
#ifndef VDISIM_LAB_H
#define VDISIM_LAB_H

#include <stdbool.h>
#include <stddef.h>

struct lab;

/* Reads an experiment file's text. NULL only when memory is short: what is wrong with the text is told by lab_problems(). */
struct lab *lab_open(const char *text);
void lab_close(struct lab *lab);

/* It was read without errors. */
bool lab_is_fine(const struct lab *lab);

/* [{"file","line","column","level","message"}], warnings among them. */
const char *lab_problems(struct lab *lab);

/* {"name", "title", "length_s", "replications", "cells": [{"cell": {KEY: VALUE}, "stores": [{"name", "limits": [{"name", "label", "unit",
 * "value", "formula"}]}]}], "phases", "causes", "responses", "classes"}; a limit of null is none. */
const char *lab_description(struct lab *lab);

/* Told how a run comes on, a JSON text after each minute of the clock: {"cell", "replication", "now_s", "logons": [[user, start_s,
 * load_s]] that have finished since the last call, "waiting": how many have not, "stores": [{"name", "from": index of the first of these,
 * "minutes": [as in lab_records(); the last may still lack something and is told again]}]}. */
typedef void lab_look(void *context, const char *progress);

/* Runs all cells and replications, one after the other. False when that failed: lab_problems() then says why. */
bool lab_run(struct lab *lab, lab_look *look, void *context);

bool lab_has_run(const struct lab *lab);

/* After a run, of one cell and replication: {"logons": [[user, host, start_s, load_s, finished, requests, bytes_read,
 * bytes_written]], "stores": [{"name", "minutes": [{"responses": [], "classes": [], "ingress", "egress" (bytes), "server_ms", "e2e_ms" (means),
 * "used_iops", "used_bytes_per_s" (the busiest second), "credits"}]}]}. */
const char *lab_records(struct lab *lab, size_t cell, size_t replication);

/* Where the time of one logon went: {"user", "load_ns", "phases": [[ns of each cause]]}; the index is that of lab_records(). */
const char *lab_logon(struct lab *lab, size_t cell, size_t replication, size_t index);

/* After a run: "result.json" (as `vdisim run --format json` prints it), "answer.txt" (as it prints for people), or a file of a result
 * folder: "cells.csv", "runs.csv", "logons.csv", "minutes.csv", "expectations.csv". Before one, too: "values.txt" (as `vdisim
 * check --full`). "" for any other name. */
const char *lab_document(struct lab *lab, const char *name);

#endif
