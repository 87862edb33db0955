/* Ctrl-C and SIGTERM: the first asks the command to end in good order, a second one ends the program at once. */
#ifndef VDISIM_INTERRUPT_H
#define VDISIM_INTERRUPT_H

#include <stdatomic.h>

/* Begins to watch, and returns what becomes true; usable as run_options.cancel. */
const atomic_bool *interrupt_watch(void);

#endif
