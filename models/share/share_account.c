/* Shares that name one storage account against each other: an account has one set of limits, and what is provisioned apart
 * from the size is sold within them. */
#include "vdisim/entitlement.h"
#include "vdisim/share.h"
#include "vdisim/world.h"

#include <stdio.h>
#include <string.h>

#define MIB 1048576.0

static const struct share_settings *share_of_account(const struct store_part *part, const char *account)
{
    const struct share_settings *settings = part->settings;
    return part->kind == &share_kind && settings->account != NULL && strcmp(settings->account, account) == 0
               ? settings
               : NULL;
}

static bool limits_agree(const struct share_settings *settings, const struct share_settings *first,
                         const char *name_of_first, struct parameter_problem *problem)
{
    const struct {
        const char *parameter, *words, *unit;
        double here, there, factor;
    } limits[] = {
        {"account_iops", "", "IOPS", settings->account_iops, first->account_iops, 1.0},
        {"account_ingress", " of ingress", "MiB/s", settings->account_ingress_bytes_per_s,
         first->account_ingress_bytes_per_s, MIB},
        {"account_egress", " of egress", "MiB/s", settings->account_egress_bytes_per_s,
         first->account_egress_bytes_per_s, MIB},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i].here == limits[i].there)
            continue;
        char here[32], there[32];
        problem->parameter = limits[i].parameter;
        snprintf(problem->message, sizeof problem->message,
                 "the account %.40s has %s %s%s here and %s with %.40s; an account has one set of limits",
                 settings->account, entitlement_number(limits[i].here / limits[i].factor, here),
                 limits[i].unit, limits[i].words,
                 entitlement_number(limits[i].there / limits[i].factor, there), name_of_first);
        return false;
    }
    problem->parameter = "account";
    if (settings->account_pooled == first->account_pooled)
        return true;
    snprintf(problem->message, sizeof problem->message,
             "the account %.40s has both directions %s here and %s with %.40s", settings->account,
             settings->account_pooled ? "together" : "apart", first->account_pooled ? "together" : "apart",
             name_of_first);
    return false;
}

bool share_fits_account(const struct scenario *scenario, const void *of, struct parameter_problem *problem)
{
    const struct share_settings *settings = of;
    char sold[32], most[32];
    double sold_iops = 0.0, sold_bytes_per_s = 0.0;
    if (settings->account == NULL)
        return true;
    for (size_t i = 0; i < scenario->store_count; i++) {
        const struct share_settings *other = share_of_account(&scenario->stores[i], settings->account);
        if (other == NULL)
            continue;
        const struct share_limits limits = share_limits(other);
        sold_iops += limits.base_iops;
        sold_bytes_per_s += limits.ingress_bytes_per_s;
        if (other == settings)
            break; /* those that follow are held against this one */
        if (!limits_agree(settings, other, scenario->stores[i].name, problem))
            return false;
    }
    problem->parameter = "account";
    if (settings->iops_min > 0.0 && sold_iops > settings->account_iops)
        snprintf(problem->message, sizeof problem->message,
                 "with this share %s IOPS are provisioned in the account %.40s, which sells %s",
                 entitlement_number(sold_iops, sold), settings->account,
                 entitlement_number(settings->account_iops, most));
    else if (settings->iops_min > 0.0 && sold_bytes_per_s > settings->account_ingress_bytes_per_s)
        snprintf(problem->message, sizeof problem->message,
                 "with this share %s MiB/s are provisioned in the account %.40s, which sells %s",
                 entitlement_number(sold_bytes_per_s / MIB, sold), settings->account,
                 entitlement_number(settings->account_ingress_bytes_per_s / MIB, most));
    else
        return true;
    return false;
}
