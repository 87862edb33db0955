/* The inside of a lab, for the files that write its texts. */
#ifndef VDISIM_LAB_INSIDE_H
#define VDISIM_LAB_INSIDE_H

#include "sim/experiment/result/result.h"
#include "sim/experiment/result/writer.h"
#include "sim/lab/lab.h"

struct lab {
    struct problems *problems;
    struct experiment *experiment; /* NULL: it could not be read */
    struct result *result;         /* NULL before a run */
    char *text;                    /* the last one handed out */
    size_t text_size;
    struct writer writer; /* of the one being written; its file is NULL when memory is short */
};

/* A text is written to lab->writer between these two; the second hands it out. */
void lab_begin_text(struct lab *lab);
const char *lab_end_text(struct lab *lab);

/* What has been told of the unit that runs. */
struct looking {
    struct lab *lab;
    lab_look *look;
    void *context;
    struct unit unit;
    bool *told; /* [logon]: it was told that it has finished */
    size_t logons, minutes;
};

/* The look of a struct unit_watch whose context is a struct looking. */
void look_at_world(void *context, struct unit unit, struct world *world);

void write_minute_record(struct writer *writer, const struct minute_record *minute);

#endif
