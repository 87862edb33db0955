/* The search over all tiers: each in a thread, each by itself. */
#include "sim/experiment/size/size.h"

#include "sim/experiment/read/opening.h"
#include "sim/experiment/read/suggest.h"
#include "sim/experiment/size/size_tier.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GIB 1073741824.0

struct finder {
    const struct experiment *experiment;
    const struct size_request *request;
    struct size_answer *answer;
    const char *store;
    size_t jobs; /* of each tier */
    atomic_size_t next;
    pthread_mutex_t lock;
    enum size_end end; /* under the lock */
    char *message;
    size_t message_size;
};

/* -- the targets' metrics -- */

struct metric_search {
    struct metric_sink sink; /* first */
    struct target *target;
    struct suggestion suggestion;
    char best[TARGET_NAME_SIZE];
    bool found;
};

static void look_at_metric(struct metric_sink *sink, const char *name, const char *unit, double value)
{
    struct metric_search *search = (struct metric_search *)sink;
    (void)value;
    const char *best = search->suggestion.best;
    if (strcmp(name, search->target->metric) == 0) {
        search->found = true;
        snprintf(search->target->unit, sizeof search->target->unit, "%s", unit);
    }
    suggestion_offer(&search->suggestion, name);
    if (search->suggestion.best != best) { /* the name is only lent */
        snprintf(search->best, sizeof search->best, "%s", name);
        search->suggestion.best = search->best;
    }
}

/* A world that has not begun reports all metrics there are. False with the message. */
static bool check_metrics(struct size_answer *answer, const struct scenario *scenario, uint64_t seed,
                          char *message, size_t size)
{
    struct world *world = world_create(scenario, seed, 0, message, size);
    if (world == NULL)
        return false;
    bool fine = true;
    for (size_t i = 0; fine && i < answer->target_count; i++) {
        struct metric_search search = {.sink = {look_at_metric},
                                       .target = &answer->targets[i],
                                       .suggestion = {.written = answer->targets[i].metric}};
        world_report(world, &search.sink);
        fine = search.found;
        if (!fine)
            snprintf(message, size, "there is no metric '%s' in this experiment%s%s%s",
                     answer->targets[i].metric, search.suggestion.best != NULL ? ". Did you mean " : "",
                     search.suggestion.best != NULL ? search.best : "",
                     search.suggestion.best != NULL ? "?" : "");
    }
    world_destroy(world);
    return fine;
}

/* -- the tiers -- */

static bool is_default_tier(const struct catalogue_entry *entry)
{
    const size_t length = strlen(entry->name);
    const bool is_nfs = length > 4 && strcmp(entry->name + length - 4, "-nfs") == 0;
    return entry->kind != NULL && strcmp(entry->kind, share_kind.name) == 0 && !is_nfs;
}

static bool add_tier(struct size_answer *answer, const char *name)
{
    char *copy = strdup(name);
    if (copy == NULL)
        return false;
    answer->names[answer->option_count] = copy;
    answer->options[answer->option_count] =
        (struct size_option){.tier = copy, .cost = NAN, .margin = -INFINITY};
    answer->option_count++;
    return true;
}

/* The entry that a user means, by its name or by what follows its last slash. */
static const struct catalogue_entry *find_tier(const struct catalogue_section *section, const char *name,
                                               char *message, size_t size)
{
    struct suggestion suggestion = {.written = name};
    for (size_t i = 0; i < section->count; i++) {
        const struct catalogue_entry *entry = section->entries[i];
        const char *slash = strrchr(entry->name, '/');
        if (strcmp(entry->name, name) == 0 || (slash != NULL && strcmp(slash + 1, name) == 0))
            return entry;
        suggestion_offer(&suggestion, entry->name);
        if (slash != NULL)
            suggestion_offer(&suggestion, slash + 1);
    }
    snprintf(message, size, "there is no tier '%.80s'%s%s%s", name,
             suggestion.best != NULL ? ". Did you mean " : "; vdisim catalogue tiers lists what there is",
             suggestion.best != NULL ? suggestion.best : "", suggestion.best != NULL ? "?" : "");
    return NULL;
}

static bool choose_tiers(struct size_answer *answer, const struct catalogue *catalogue,
                         const struct size_request *request, char *message, size_t size)
{
    const struct catalogue_section *section = catalogue_section(catalogue, "tiers");
    const size_t most = (section != NULL ? section->count : 0) + request->tier_count + 1;
    answer->options = calloc(most, sizeof *answer->options);
    answer->names = calloc(most, sizeof *answer->names);
    answer->order = calloc(most, sizeof *answer->order);
    snprintf(message, size, "out of memory");
    if (section == NULL || answer->options == NULL || answer->names == NULL || answer->order == NULL)
        return false;
    for (size_t i = 0; request->tier_count == 0 && i < section->count; i++)
        if (is_default_tier(section->entries[i]) && !add_tier(answer, section->entries[i]->name))
            return false;
    for (size_t i = 0; i < request->tier_count; i++) {
        const struct catalogue_entry *entry = find_tier(section, request->tiers[i], message, size);
        if (entry == NULL)
            return false;
        if (entry->kind == NULL || strcmp(entry->kind, share_kind.name) != 0) {
            snprintf(message, size, "%s is no file share but of the kind %s: this chooses among shares",
                     entry->name, entry->kind != NULL ? entry->kind : "none");
            return false;
        }
        if (!add_tier(answer, entry->name))
            return false;
    }
    return true;
}

/* -- one tier -- */

static const char *rules_of(const struct finder *finder, const char *tier)
{
    const struct size_request *request = finder->request;
    if (request->rules != NULL)
        return request->rules;
    const char *rules = variant_rules(finder->experiment, request->cell, finder->store);
    const char *own = variant_tier(finder->experiment, request->cell, finder->store);
    const bool is_date = rules != NULL && rules[0] >= '0' && rules[0] <= '9';
    return is_date || (own != NULL && strcmp(own, tier) == 0) ? rules : NULL;
}

/* The latest price list that is named after the tier. */
static const char *price_list_of(const struct catalogue *catalogue, const char *tier)
{
    const struct catalogue_section *section = catalogue_section(catalogue, "prices");
    const size_t length = strlen(tier);
    const char *latest = NULL;
    for (size_t i = 0; section != NULL && i < section->count; i++) {
        const char *name = section->entries[i]->name;
        const bool is_dated = name[length < strlen(name) ? length : 0] == '-' && name[length + 1] >= '0' &&
                              name[length + 1] <= '9';
        if (strncmp(name, tier, length) == 0 && (name[length] == '\0' || is_dated) &&
            (latest == NULL || strcmp(name, latest) > 0))
            latest = name;
    }
    return latest;
}

/* Whether the tier has prices of its own. */
static bool has_own_price(const struct catalogue *catalogue, const char *tier)
{
    const struct catalogue_entry *entry = catalogue_entry(catalogue, "tiers", tier);
    return catalogue_value(&entry->values, "price.list") != NULL;
}

/* The settings of the tier at any size that is sold. False with why there is none. */
static bool open_tier(const struct finder *finder, struct option_tier *tier, struct variant *variant,
                      char message[SIZE_WHY_SIZE])
{
    static const char *const sizes[] = {"1024 GiB", "4096 GiB", "100 GiB", "16384 GiB"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        variant->size = sizes[i];
        struct experiment *experiment =
            variant_open(finder->experiment, finder->request->cell, variant, message, SIZE_WHY_SIZE);
        if (experiment == NULL)
            continue;
        tier->settings = *logons_of_store_share(experiment, 0, tier->logons.store_index);
        tier->settings.account = NULL; /* goes with the experiment, and is not asked for */
        experiment_close(experiment);
        return true;
    }
    return false;
}

/* A load that one user alone does not reach. */
static bool is_impossible(const struct option_tier *tier, struct size_option *found)
{
    for (size_t i = 0; i < tier->request->target_count; i++) {
        const struct target *target = &tier->targets[i];
        const size_t length = strlen("profile_load.");
        for (size_t k = 0; k < tier->logons.count; k++) {
            const struct logon_demand *demand = &tier->logons.demands[k];
            const char *load = strstr(target->metric, "profile_load.");
            if (load == NULL || !target->at_most || strncmp(load + length, "by.", 3) == 0 ||
                strcmp(load + length, "sd") == 0 || strcmp(load + length, "over_30s") == 0 ||
                strcmp(load + length, "requests") == 0 || 0.9 * demand->load_s <= target->limit)
                continue;
            int most = 0;
            for (int cause = 1; cause < CAUSE_COUNT; cause++)
                most = demand->causes_s[cause] > demand->causes_s[most] ? cause : most;
            found->fate = SIZE_IMPOSSIBLE;
            snprintf(found->why, sizeof found->why,
                     "one user alone takes %.2f s whatever the size, %.0f %% of it %s; '%.80s' cannot be met",
                     demand->load_s, 100.0 * demand->causes_s[most] / demand->load_s,
                     wait_cause_name((enum wait_cause)most), target->text);
            return true;
        }
    }
    return false;
}

static enum option_end search_tier(struct finder *finder, struct size_option *found)
{
    char message[SIZE_WHY_SIZE] = "";
    struct option_tier tier = {.request = finder->request,
                               .targets = finder->answer->targets,
                               .name = found->tier,
                               .rules = rules_of(finder, found->tier),
                               .jobs = finder->jobs,
                               .runs = &found->runs};
    if (!has_own_price(finder->experiment->catalogue, tier.name))
        tier.price_list = found->price_list = price_list_of(finder->experiment->catalogue, tier.name);
    struct variant variant = {
        .store = finder->store, .tier = tier.name, .rules = tier.rules, .price_list = tier.price_list};
    found->fate = SIZE_NOT_SOLD;
    enum option_end end = OPTION_DONE;
    if (!logons_of_store_find(&tier.logons, finder->experiment, finder->request->cell, finder->store, message,
                              sizeof message) ||
        !open_tier(finder, &tier, &variant, message) ||
        !logons_of_store_measure(&tier.logons, &variant, message, sizeof message))
        snprintf(found->why, sizeof found->why, "%.390s", message);
    else if (!is_impossible(&tier, found))
        end = size_tier_search(&tier, finder->answer->data_bytes, found, message);
    if (end == OPTION_FAILED && strcmp(message, "out of memory") != 0) {
        end = OPTION_DONE;
        found->fate = SIZE_NOT_SOLD;
        snprintf(found->why, sizeof found->why, "%.390s", message);
    }
    logons_of_store_release(&tier.logons);
    return end;
}

/* -- all of them -- */

static void *work(void *context)
{
    struct finder *finder = context;
    for (;;) {
        const size_t index = atomic_fetch_add(&finder->next, 1);
        if (index >= finder->answer->option_count)
            return NULL;
        const enum option_end end = search_tier(finder, &finder->answer->options[index]);
        if (end == OPTION_DONE)
            continue;
        pthread_mutex_lock(&finder->lock);
        finder->end = end == OPTION_STOPPED ? SIZE_INTERRUPTED : SIZE_FAILED;
        snprintf(finder->message, finder->message_size,
                 end == OPTION_STOPPED ? "interrupted; nothing was found" : "out of memory");
        pthread_mutex_unlock(&finder->lock);
        return NULL;
    }
}

static void search_all(struct finder *finder)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = finder->request->jobs;
    if (jobs == 0)
        jobs = processors > 0 ? (size_t)processors : 1;
    const size_t tiers = finder->answer->option_count;
    const size_t side_by_side = jobs < tiers ? jobs : tiers;
    finder->jobs = jobs / side_by_side;
    pthread_t *threads = calloc(side_by_side + 1, sizeof *threads);
    size_t started = 0;
    while (threads != NULL && started + 1 < side_by_side &&
           pthread_create(&threads[started], NULL, work, finder) == 0)
        started++;
    work(finder);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

static double total_of(const struct size_option *option)
{
    return (double)option->bytes * (double)option->shares;
}

/* Those that meet first, by cost, those without a price after them by size; then the nearest. */
static bool is_before(const struct size_answer *answer, const struct size_option *a,
                      const struct size_option *b)
{
    const double a_cost = answer->currencies_differ ? (double)NAN : a->cost;
    const double b_cost = answer->currencies_differ ? (double)NAN : b->cost;
    if (a->fate != b->fate)
        return a->fate < b->fate;
    if (a->fate != SIZE_MET)
        return a->margin > b->margin;
    if (isnan(a_cost) != isnan(b_cost))
        return isnan(b_cost);
    if (!isnan(a_cost) && a_cost != b_cost)
        return a_cost < b_cost;
    return total_of(a) != total_of(b) ? total_of(a) < total_of(b) : a->shares < b->shares;
}

static bool currencies_differ(const struct size_answer *answer)
{
    const char *first = NULL;
    for (size_t i = 0; i < answer->option_count; i++) {
        const struct size_option *option = &answer->options[i];
        if (option->fate != SIZE_MET || isnan(option->cost))
            continue;
        if (first != NULL && strcmp(first, option->currency) != 0)
            return true;
        first = option->currency;
    }
    return false;
}

static void rank(struct size_answer *answer)
{
    answer->currencies_differ = currencies_differ(answer);
    for (size_t i = 0; i < answer->option_count; i++) {
        size_t place = i;
        for (;
             place > 0 && is_before(answer, &answer->options[i], &answer->options[answer->order[place - 1]]);
             place--)
            answer->order[place] = answer->order[place - 1];
        answer->order[place] = i;
        answer->runs += answer->options[i].runs;
    }
}

/* False with the message. */
static bool prepare(struct finder *finder, struct logons_of_store *logons)
{
    const struct size_request *request = finder->request;
    struct size_answer *answer = finder->answer;
    const struct scenario *scenario = experiment_cell(finder->experiment, request->cell)->scenario;
    if (!targets_are_possible(request->targets, request->target_count, finder->message) ||
        !logons_of_store_find(logons, finder->experiment, request->cell, request->store, finder->message,
                              finder->message_size))
        return false;
    finder->store = logons->store;
    answer->targets = calloc(request->target_count + 1, sizeof *answer->targets);
    if (answer->targets == NULL) {
        snprintf(finder->message, finder->message_size, "out of memory");
        return false;
    }
    memcpy(answer->targets, request->targets, request->target_count * sizeof *answer->targets);
    answer->target_count = request->target_count;
    answer->data_bytes = isnan(request->data_bytes) ? logons_of_store_bytes(logons) : request->data_bytes;
    for (size_t i = 0; i < logons->count; i++)
        answer->users +=
            (double)((const struct logons_settings *)scenario->workloads[logons->workloads[i]].settings)
                ->users;
    return check_metrics(answer, scenario, (uint64_t)experiment_run(finder->experiment)->seed,
                         finder->message, finder->message_size) &&
           choose_tiers(answer, finder->experiment->catalogue, request, finder->message,
                        finder->message_size);
}

struct size_answer *size_find(const struct experiment *experiment, const struct size_request *request,
                              enum size_end *end, char *message, size_t message_size)
{
    struct logons_of_store logons;
    struct finder finder = {.experiment = experiment,
                            .request = request,
                            .answer = calloc(1, sizeof *finder.answer),
                            .lock = PTHREAD_MUTEX_INITIALIZER,
                            .message = message,
                            .message_size = message_size};
    *end = SIZE_FAILED;
    snprintf(message, message_size, "out of memory");
    if (finder.answer == NULL)
        return NULL;
    finder.answer->experiment = experiment;
    *end = SIZE_REFUSED;
    if (prepare(&finder, &logons)) {
        search_all(&finder);
        *end = finder.end;
    }
    pthread_mutex_destroy(&finder.lock);
    if (*end == SIZE_DONE) {
        rank(finder.answer);
        return finder.answer;
    }
    size_answer_destroy(finder.answer);
    return NULL;
}

void size_answer_destroy(struct size_answer *answer)
{
    if (answer == NULL)
        return;
    for (size_t i = 0; i < answer->option_count; i++)
        free(answer->names[i]);
    free(answer->names);
    free(answer->options);
    free(answer->order);
    free(answer->targets);
    free(answer);
}

bool size_is_met(const struct size_answer *answer)
{
    for (size_t i = 0; i < answer->option_count; i++)
        if (answer->options[i].fate == SIZE_MET)
            return true;
    return false;
}
