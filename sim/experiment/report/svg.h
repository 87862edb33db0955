/* A picture within a page: an SVG document made part of an HTML page.
 *
 * Its names get a prefix, so that several pictures share a page; it takes the width there is; what it shows is said in
 * words. Only elements and attributes that draw are let through: whatever a picture was made of, nothing in it runs, links
 * or loads.
 */
#ifndef VDISIM_SVG_H
#define VDISIM_SVG_H

#include "sim/experiment/result/writer.h"

#include <stdbool.h>

/* `prefix` is a name of letters and digits. Title and description are plain texts. False, with nothing written, when the text
 * is no SVG of this kind. */
bool svg_write_inline(const char *svg, const char *prefix, const char *title, const char *description,
                      struct writer *writer);

#endif
