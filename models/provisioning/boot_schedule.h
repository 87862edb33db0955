/* The schedule of boots: a list of texts, each `TIME ACTION TARGETS [every TIME]`, turned into what happens to which
 * target when. */
#ifndef VDISIM_MODELS_BOOT_SCHEDULE_H
#define VDISIM_MODELS_BOOT_SCHEDULE_H

#include "vdisim/parameter.h"

#include <stddef.h>
#include <stdint.h>

enum boot_action { ACTION_BOOT, ACTION_REBOOT, ACTION_SHUT_DOWN };

struct boot_event {
    int64_t at_ns;
    uint32_t target; /* from 0 */
    enum boot_action action;
    uint32_t step; /* of the schedule, from 0 */
};

struct boot_schedule {
    struct boot_event *events; /* in the order of time, those of one instant as they are written */
    size_t count;
    size_t boots; /* how many of them boot or reboot */
};

enum boot_schedule_answer { BOOT_SCHEDULE_OK, BOOT_SCHEDULE_WRONG, BOOT_SCHEDULE_NO_MEMORY };

/* Unless OK there is nothing to release; WRONG comes with one clear line. */
enum boot_schedule_answer boot_schedule_make(struct boot_schedule *schedule,
                                             const struct parameter_texts *texts, int64_t targets,
                                             struct parameter_problem *problem);

void boot_schedule_release(struct boot_schedule *schedule);

#endif
