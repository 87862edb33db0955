/* The door to the page: what lab.h has, with what JavaScript can hand over. The page provides look(). */
#include "sim/lab/lab.h"

#include <emscripten/em_js.h>
#include <emscripten/emscripten.h>

EM_JS(void, page_looks, (const char *progress), { Module.look(UTF8ToString(progress)); })

static void look(void *context, const char *progress)
{
    (void)context;
    page_looks(progress);
}

/* Returns nothing: the call is unwound at the first switch between processes and ends elsewhere. lab_has_run() tells. */
EMSCRIPTEN_KEEPALIVE void page_run(struct lab *lab);

void page_run(struct lab *lab)
{
    lab_run(lab, look, NULL);
}
