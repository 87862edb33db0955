/* What can be written in an experiment file, for editors and for people, from the parameter tables.
 *
 * The JSON Schema (draft 7) goes into an editor's YAML support: `# yaml-language-server:
 * $schema=vdisim.schema.json` as the first line of an experiment. It accepts every file that the reader
 * accepts; the reader also checks ranges and relations. The reference is a page of Markdown with a table a
 * parameter table.
 */
#ifndef VDISIM_SCHEMA_H
#define VDISIM_SCHEMA_H

#include "sim/experiment/read/catalogue.h"
#include "sim/experiment/read/vocabulary.h"

#include <stdio.h>

void schema_print(const struct vocabulary *vocabulary, const struct catalogue *catalogue, FILE *out);

void reference_print(const struct vocabulary *vocabulary, const struct catalogue *catalogue, FILE *out);

#endif
