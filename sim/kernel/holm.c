#include "vdisim/holm.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct ranked {
    double p;
    size_t index;
};

static int by_p(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

bool sim_holm(const double *p_values, size_t count, double *adjusted)
{
    if (count == 0)
        return true;
    struct ranked *family = calloc(count, sizeof *family);
    if (family == NULL)
        return false;
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        assert(!(p_values[i] < 0.0) && !(p_values[i] > 1.0));
        if (isnan(p_values[i]))
            adjusted[i] = NAN;
        else
            family[size++] = (struct ranked){p_values[i], i};
    }
    qsort(family, size, sizeof *family, by_p);
    double largest = 0.0;
    for (size_t i = 0; i < size; i++) {
        largest = fmax(largest, fmin(1.0, (double)(size - i) * family[i].p));
        adjusted[family[i].index] = largest;
    }
    free(family);
    return true;
}
