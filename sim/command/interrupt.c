#include "sim/command/interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* The only state shared with a signal handler. */
static atomic_bool requested;

static void request(int signal_number)
{
    (void)signal_number;
    atomic_store(&requested, true);
}

const atomic_bool *interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = request, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &requested;
}
