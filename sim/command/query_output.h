/* The rows of a query to an archive on standard output: a table for people, CSV, or a JSON list of objects. */
#ifndef VDISIM_QUERY_OUTPUT_H
#define VDISIM_QUERY_OUTPUT_H

#include "sim/command/options.h"
#include "sim/experiment/archive/archive_query.h"
#include "sim/experiment/result/writer.h"

/* Asks and prints. *message is "" when all that went wrong is the writer's. */
enum archive_status query_print(struct archive *archive, const char *sql, enum output_format format,
                                struct writer *writer, char message[UNIT_MESSAGE_SIZE]);

#endif
