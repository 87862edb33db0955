/* Which cells of two samples go together. */
#ifndef VDISIM_COMPARE_MATCH_H
#define VDISIM_COMPARE_MATCH_H

#include "sim/experiment/compare/compare.h"

/* Fills pairs, the labels of those alone, and the choices. False with a message. */
bool compare_match(struct compare *compare, const struct compare_request *request,
                   char message[SAMPLE_MESSAGE_SIZE]);

#endif
