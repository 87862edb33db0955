#include "sim/experiment/size/confirm.h"

#include <math.h>

/* Replications from here on: scouting looks at others than confirming. Replication 0 is that of single runs. */
enum { SCOUTED_FROM = 1, CONFIRMED_FROM = 1 << 20 };

static struct mornings mornings_of(const struct option_tier *tier, size_t first)
{
    struct mornings mornings;
    const struct logon_demand *demand = &tier->logons.demands[0];
    const uint64_t seed = (uint64_t)experiment_run(tier->logons.experiment)->seed;
    mornings_init(&mornings, demand->settings->run_effect_cv, demand->name, seed, first);
    return mornings;
}

/* Runs the next mornings. */
static enum option_end add_mornings(const struct option_tier *tier, const struct option *option,
                                    struct mornings *mornings, struct option_values *values,
                                    char message[SIZE_WHY_SIZE])
{
    const size_t before = mornings->count;
    mornings_add(mornings);
    return option_run(tier, option, &mornings->replications[before], mornings->count - before, values, message);
}

static bool is_last_look(const struct option_tier *tier, const struct mornings *mornings)
{
    const size_t next = mornings_next_count(mornings);
    return next > tier->request->replications || next > MORNINGS_MOST;
}

/* How often is looked at most, and how many mornings there are then. */
static size_t looks_of(const struct option_tier *tier, size_t *mornings_at_last)
{
    size_t looks = 0;
    struct mornings mornings = {.count = 0};
    do {
        mornings.count = mornings_next_count(&mornings);
        looks++;
    } while (!is_last_look(tier, &mornings));
    *mornings_at_last = mornings.count;
    return looks;
}

/* 1/2 for the last, 1/4, 1/8, ...; the first gets what is left, as much as the second. */
static double error_of_look(double error, size_t look, size_t looks)
{
    const size_t halvings = looks - look + (look > 1);
    return ldexp(error, -(int)halvings);
}

static void judge(const struct option_tier *tier, const struct mornings *mornings, double error,
                  struct confirmation *confirmation)
{
    const struct option_values *values = &confirmation->values;
    confirmation->met = true;
    confirmation->missed = false;
    for (size_t i = 0; i < tier->request->target_count; i++) {
        struct standing *standing = &confirmation->standings[i];
        *standing = target_judge(&tier->targets[i], mornings, values->of_target[i], values->effects, error);
        confirmation->met = confirmation->met && standing->met;
        confirmation->missed = confirmation->missed || standing->missed;
    }
}

/* Whether as many mornings as there may be, if they are like these, are likely to call all targets met. */
static bool is_likely(const struct option_tier *tier, const struct mornings *mornings,
                      const struct option_values *values, size_t most, double error)
{
    for (size_t i = 0; i < tier->request->target_count; i++)
        if (!target_promises(&tier->targets[i], mornings, values->of_target[i], values->effects, most, error))
            return false;
    return true;
}

enum option_end option_confirm(const struct option_tier *tier, const struct option *option, double error,
                               struct confirmation *confirmation, char message[SIZE_WHY_SIZE])
{
    struct mornings mornings = mornings_of(tier, CONFIRMED_FROM);
    *confirmation = (struct confirmation){.met = false};
    size_t most;
    const size_t looks = looks_of(tier, &most);
    for (size_t look = 1; look <= looks; look++) {
        const enum option_end end = add_mornings(tier, option, &mornings, &confirmation->values, message);
        if (end != OPTION_DONE) {
            confirmation->met = confirmation->missed = false;
            return end;
        }
        judge(tier, &mornings, error_of_look(error, look, looks), confirmation);
        if (confirmation->met || confirmation->missed ||
            !is_likely(tier, &mornings, &confirmation->values, most, error_of_look(error, looks, looks)))
            break;
    }
    return OPTION_DONE;
}

void confirmation_release(struct confirmation *confirmation)
{
    option_values_release(&confirmation->values);
}

enum option_end option_promises(const struct option_tier *tier, const struct option *option, double error,
                                bool *promises, char message[SIZE_WHY_SIZE])
{
    struct mornings mornings = mornings_of(tier, SCOUTED_FROM);
    struct option_values values = {.count = 0};
    size_t most;
    const size_t looks = looks_of(tier, &most);
    const enum option_end end = add_mornings(tier, option, &mornings, &values, message);
    *promises = end == OPTION_DONE &&
                is_likely(tier, &mornings, &values, most, error_of_look(error, looks, looks));
    option_values_release(&values);
    return end;
}
