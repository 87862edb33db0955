/* What vdisim catalogue prints: a section, an entry, a store of some size and date; as text or as JSON. */
#ifndef VDISIM_CATALOGUE_PRINT_H
#define VDISIM_CATALOGUE_PRINT_H

#include "sim/experiment/read/stated_store.h"
#include "sim/experiment/result/writer.h"

#include <stdbool.h>

/* Lines "  name  title", or a JSON list of {"name", "title", "kind"}. */
void print_section(const struct catalogue_section *section, struct writer *writer, bool json);

/* Its values with status and source, its rules, where its sources disagree. */
void print_entry(struct arena *arena, const struct catalogue_entry *entry, struct writer *writer, bool json);

void print_values(struct arena *arena, const struct catalogue_values *values, const char *indent,
                  struct writer *writer);

/* Each limit with its formula, and what to be warned of. JSON: {"entry", "title", "kind", "size_bytes", "rules": null |
 * {"name", "from", "title"}, "limits": [{"name", "label", "unit", "value", "formula"}], "contradictions": [{"about",
 * "says", "source", "used"}], "uncertain": [{"key", "value", "status"}]}; a value that is unlimited is null. */
void print_stated_store(const struct stated_store *stated, struct writer *writer, bool json);

/* The text, and blanks up to so many code points, which is near enough to columns for names. */
void print_padded(struct writer *writer, const char *text, int width);

#endif
