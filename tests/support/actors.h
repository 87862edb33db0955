/* Small processes for the tests of the kernel: each runs one step function and writes what happened, and when, to a log. */
#ifndef VDISIM_TESTS_ACTORS_H
#define VDISIM_TESTS_ACTORS_H

#include "tests/support/check.h"

#include "vdisim/process.h"
#include "vdisim/sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct actor;
typedef void actor_step(struct actor *actor);

struct journal {
    char text[4096];
};

struct actor {
    struct sim_process process;
    char letter;
    actor_step *step;
    struct journal *journal;
    void *world;      /* what the test wants its steps to see */
    int64_t number;   /* a parameter of the step */
    int64_t other;    /* another */
    bool ended;       /* on_end was called */
};

/* Appends "<time><letter>:<text> ". */
__attribute__((format(printf, 2, 3))) static inline void actor_says(struct actor *actor, const char *format, ...)
{
    struct journal *journal = actor->journal;
    size_t length = strlen(journal->text);
    length += (size_t)snprintf(journal->text + length, sizeof journal->text - length, "%lld%c:",
                               (long long)sim_now_ns(actor->process.sim), actor->letter);
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(journal->text + length, sizeof journal->text - length, format, arguments);
    va_end(arguments);
    if (length + 2 < sizeof journal->text)
        memcpy(journal->text + length, " ", 2);
}

static inline const char *wake_name(enum sim_wake wake)
{
    switch (wake) {
    case SIM_DONE:
        return "done";
    case SIM_TIMEOUT:
        return "timeout";
    case SIM_INTERRUPTED:
        return "interrupted";
    case SIM_BALKED:
        return "balked";
    }
    return "?";
}

static inline void actor_body(struct sim_process *self)
{
    struct actor *actor = SIM_CONTAINER_OF(self, struct actor, process);
    actor->step(actor);
}

static inline void actor_ends(struct sim_process *self)
{
    SIM_CONTAINER_OF(self, struct actor, process)->ended = true;
}

/* Makes an actor and schedules its start. */
static inline void actor_start(struct sim *sim, struct actor *actor, char letter, actor_step *step, struct journal *journal,
                               void *world, int64_t at_ns)
{
    actor->letter = letter;
    actor->step = step;
    actor->journal = journal;
    actor->world = world;
    actor->ended = false;
    sim_process_init(&actor->process, "actor", actor_body);
    actor->process.on_end = actor_ends;
    sim_process_start_at(sim, &actor->process, at_ns);
}

#endif
