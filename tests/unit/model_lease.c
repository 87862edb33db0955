/* Oplocks and leases: every pair of a held state and an event against a table written here from [MS-SMB2] and [MS-FSA];
 * what is granted; acknowledgements and the timer; invariants over random traces of several clients. */
#include "vdisim/lease.h"
#include "vdisim/random.h"

#include "tests/support/check.h"

#include <string.h>

/* "-": unaffected; else the state broken to, with "!" when the event waits for the acknowledgement, "?" when one is due
 * but not waited for. */
static const struct {
    enum lease_state held;
    const char *by[LEASE_EVENT_COUNT];
} table[] = {
    /*                  open        conflicting  overwriting  attributes  read        write */
    {LEASE_NONE, {"-", "-", "-", "-", "-", "-"}},
    {LEASE_LEVEL_2, {"-", "-", "none", "-", "-", "none"}},
    {LEASE_LEVEL_1, {"level 2!", "-", "none!", "-", "level 2!", "none!"}},
    {LEASE_BATCH, {"level 2!", "level 2!", "none!", "-", "level 2!", "none!"}},
    {LEASE_R, {"-", "-", "none", "-", "-", "none"}},
    {LEASE_RH, {"-", "R!", "none?", "-", "-", "none?"}},
    {LEASE_RW, {"R!", "R!", "none!", "-", "R!", "none!"}},
    {LEASE_RWH, {"RH!", "RW!", "none!", "-", "RH!", "none!"}},
};

static void every_pair_of_state_and_event(void **state)
{
    (void)state;
    assert_int_equal(sizeof table / sizeof table[0], LEASE_STATE_COUNT);
    for (int held = 0; held < LEASE_STATE_COUNT; held++)
        for (int event = 0; event < LEASE_EVENT_COUNT; event++) {
            const struct lease_break is = lease_break_by((enum lease_state)held, (enum lease_event)event);
            assert_int_equal(table[held].held, held);
            char text[32] = "-";
            if (is.breaks) {
                strcpy(text, lease_state_name(is.to));
                strcat(text, is.waits ? "!" : is.acknowledged ? "?" : "");
            } else {
                assert_int_equal(is.to, held);
                assert_false(is.waits || is.acknowledged);
            }
            if (strcmp(text, table[held].by[event]) != 0)
                fail_msg("%s held, %s: %s, expected %s", lease_state_name((enum lease_state)held),
                         lease_event_name((enum lease_event)event), text, table[held].by[event]);
        }
}

static void breaks_only_take_away(void **state)
{
    (void)state;
    for (int held = 0; held < LEASE_STATE_COUNT; held++)
        for (int event = 0; event < LEASE_EVENT_COUNT; event++) {
            const struct lease_break is = lease_break_by((enum lease_state)held, (enum lease_event)event);
            assert_true(lease_may_acknowledge((enum lease_state)held, is.to));
            /* After the break, the same event passes. */
            if (is.breaks && event != LEASE_OPEN_CONFLICTING)
                assert_false(lease_break_by(is.to, (enum lease_event)event).breaks);
            /* Who caches writes is waited for by whoever touches the data. */
            if (lease_caches_writes((enum lease_state)held) && (event == LEASE_READ || event == LEASE_WRITE))
                assert_true(is.waits);
        }
}

static void what_a_state_allows(void **state)
{
    (void)state;
    static const char allows[LEASE_STATE_COUNT][4] = {"", "r", "rw", "rwh", "r", "rh", "rw", "rwh"};
    for (int held = 0; held < LEASE_STATE_COUNT; held++) {
        assert_int_equal(lease_caches_reads((enum lease_state)held), strchr(allows[held], 'r') != NULL);
        assert_int_equal(lease_caches_writes((enum lease_state)held), strchr(allows[held], 'w') != NULL);
        assert_int_equal(lease_caches_handles((enum lease_state)held), strchr(allows[held], 'h') != NULL);
    }
}

/* [MS-FSA] 2.1.5.17.1: level 2 beside R, R beside RH, not RH beside level 2, nothing beside what is exclusive. */
static void which_coexist(void **state)
{
    (void)state;
    for (int a = 0; a < LEASE_STATE_COUNT; a++)
        for (int b = 0; b < LEASE_STATE_COUNT; b++) {
            const bool exclusive = a == LEASE_LEVEL_1 || a == LEASE_BATCH || a == LEASE_RW ||
                                   a == LEASE_RWH || b == LEASE_LEVEL_1 || b == LEASE_BATCH ||
                                   b == LEASE_RW || b == LEASE_RWH;
            const bool level_2_and_handle =
                (a == LEASE_LEVEL_2 && b == LEASE_RH) || (a == LEASE_RH && b == LEASE_LEVEL_2);
            const bool expected = a == LEASE_NONE || b == LEASE_NONE || (!exclusive && !level_2_and_handle);
            assert_int_equal(lease_states_coexist((enum lease_state)a, (enum lease_state)b), expected);
        }
}

static void what_is_granted(void **state)
{
    (void)state;
    static const struct {
        enum lease_state wanted, other, granted;
        bool alone;
    } cases[] = {
        {LEASE_BATCH, 0, LEASE_BATCH, true},
        {LEASE_LEVEL_1, 0, LEASE_LEVEL_1, true},
        {LEASE_RWH, 0, LEASE_RWH, true},
        {LEASE_RW, 0, LEASE_RW, true},
        {LEASE_NONE, 0, LEASE_NONE, true},
        {LEASE_BATCH, LEASE_NONE, LEASE_LEVEL_2, false}, /* open elsewhere without any right */
        {LEASE_BATCH, LEASE_LEVEL_2, LEASE_LEVEL_2, false},
        {LEASE_LEVEL_1, LEASE_R, LEASE_LEVEL_2, false},
        {LEASE_BATCH, LEASE_RH, LEASE_NONE, false},
        {LEASE_RWH, LEASE_NONE, LEASE_RH, false},
        {LEASE_RWH, LEASE_RH, LEASE_RH, false},
        {LEASE_RWH, LEASE_LEVEL_2, LEASE_R, false},
        {LEASE_RW, LEASE_R, LEASE_R, false},
        {LEASE_RH, LEASE_RH, LEASE_RH, false},
        {LEASE_R, LEASE_LEVEL_2, LEASE_R, false},
        {LEASE_RH, LEASE_RWH, LEASE_NONE, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(lease_grant(cases[i].wanted, &cases[i].other, cases[i].alone ? 0 : 1),
                         cases[i].granted);
}

/* --- A file with several clients. --- */

enum { CLIENTS = 5 };

struct told {
    struct lease_file leases;
    int count;
    struct lease_holder *holder;
    enum lease_state to;
    bool acknowledged;
};

static void is_told(struct lease_file *file, struct lease_holder *holder, enum lease_state to,
                    bool acknowledged)
{
    struct told *told = (struct told *)file;
    told->count++;
    told->holder = holder;
    told->to = to;
    told->acknowledged = acknowledged;
}

static void an_open_waits_for_the_acknowledgement(void **state)
{
    (void)state;
    struct told told = {0};
    struct lease_holder a = {0}, b = {0};
    lease_file_init(&told.leases, is_told);
    assert_true(lease_file_event(&told.leases, &a, LEASE_OPEN, 0));
    assert_int_equal(lease_file_open(&told.leases, &a, LEASE_BATCH), LEASE_BATCH);

    assert_false(lease_file_event(&told.leases, &b, LEASE_OPEN, 100));
    assert_int_equal(told.count, 1);
    assert_ptr_equal(told.holder, &a);
    assert_int_equal(told.to, LEASE_LEVEL_2);
    assert_true(told.acknowledged);
    assert_int_equal(a.state, LEASE_BATCH); /* until it has answered */
    assert_false(lease_file_event(&told.leases, &b, LEASE_OPEN, 200));
    assert_int_equal(told.count, 1); /* told once */

    assert_false(lease_file_acknowledge(&told.leases, &a, LEASE_LEVEL_1)); /* more than was offered */
    assert_true(a.breaking);
    assert_true(lease_file_acknowledge(&told.leases, &a, LEASE_LEVEL_2));
    assert_false(lease_file_acknowledge(&told.leases, &a, LEASE_LEVEL_2)); /* none is due */
    assert_true(lease_file_event(&told.leases, &b, LEASE_OPEN, 300));
    assert_int_equal(lease_file_open(&told.leases, &b, LEASE_BATCH), LEASE_LEVEL_2);

    assert_true(
        lease_file_event(&told.leases, &a, LEASE_WRITE, 400)); /* one's own write breaks the other's only */
    assert_int_equal(a.state, LEASE_LEVEL_2);
    assert_int_equal(b.state, LEASE_NONE);
    assert_int_equal(told.count, 2);
    assert_false(told.acknowledged);
}

static void who_does_not_answer_in_35_s_has_nothing(void **state)
{
    (void)state;
    struct told told = {0};
    struct lease_holder a = {0}, b = {0};
    lease_file_init(&told.leases, is_told);
    lease_file_open(&told.leases, &a, LEASE_RWH);
    assert_int_equal(lease_file_next_expiry_ns(&told.leases), INT64_MAX);
    assert_false(lease_file_event(&told.leases, &b, LEASE_READ, 1000));
    assert_int_equal(lease_file_next_expiry_ns(&told.leases), 1000 + INT64_C(35000000000));
    assert_int_equal(lease_file_expire(&told.leases, INT64_C(35000000999)), 0);
    assert_int_equal(a.state, LEASE_RWH);
    assert_int_equal(lease_file_expire(&told.leases, INT64_C(35000001000)), 1);
    assert_int_equal(a.state, LEASE_NONE);
    assert_false(lease_file_acknowledge(&told.leases, &a, LEASE_RH)); /* too late */
    assert_true(lease_file_event(&told.leases, &b, LEASE_READ, INT64_C(35000001000)));
    assert_int_equal(told.leases.expired, 1);
}

static void closing_answers_a_break(void **state)
{
    (void)state;
    struct told told = {0};
    struct lease_holder a = {0}, b = {0};
    lease_file_init(&told.leases, is_told);
    lease_file_open(&told.leases, &a, LEASE_RWH);
    assert_false(lease_file_event(&told.leases, &b, LEASE_OPEN_CONFLICTING, 0));
    assert_int_equal(told.to, LEASE_RW);
    lease_file_close(&told.leases, &a);
    assert_true(lease_file_event(&told.leases, &b, LEASE_OPEN, 0));
    assert_int_equal(lease_file_open(&told.leases, &b, LEASE_RWH), LEASE_RWH);
    assert_int_equal(lease_file_next_expiry_ns(&told.leases), INT64_MAX);
}

/* RH is told to go to R and has not answered; a write does not wait for it, but says that even R is gone. */
static void a_write_lowers_a_break_under_way(void **state)
{
    (void)state;
    struct told told = {0};
    struct lease_holder a = {0}, b = {0};
    lease_file_init(&told.leases, is_told);
    lease_file_open(&told.leases, &a, LEASE_RH);
    assert_false(lease_file_event(&told.leases, &b, LEASE_OPEN_CONFLICTING, 0));
    assert_true(lease_file_event(&told.leases, &b, LEASE_WRITE, 1));
    assert_int_equal(told.count, 2);
    assert_int_equal(told.to, LEASE_NONE);
    assert_true(lease_file_event(&told.leases, &b, LEASE_WRITE, 2));
    assert_int_equal(told.count, 2);
    assert_false(lease_file_acknowledge(&told.leases, &a, LEASE_R));
    assert_true(lease_file_acknowledge(&told.leases, &a, LEASE_NONE));
}

struct crowd {
    struct told told; /* first */
    struct lease_holder clients[CLIENTS];
    uint64_t version;         /* of the data: counts writes that have happened */
    uint64_t cached[CLIENTS]; /* the version that a client has in its cache, while it may cache reads */
    enum lease_state offered[CLIENTS];
    bool due[CLIENTS];
};

static void crowd_is_told(struct lease_file *file, struct lease_holder *holder, enum lease_state to,
                          bool acknowledged)
{
    struct crowd *crowd = (struct crowd *)file;
    const size_t client = (size_t)(holder - crowd->clients);
    assert_true(client < CLIENTS && holder->is_open);
    assert_true(lease_may_acknowledge(holder->state, to) || !acknowledged);
    crowd->told.count++;
    crowd->offered[client] = to;
    crowd->due[client] = acknowledged;
}

static void assert_invariants(const struct crowd *crowd)
{
    size_t writers = 0, readers = 0;
    for (size_t i = 0; i < CLIENTS; i++) {
        const struct lease_holder *one = &crowd->clients[i];
        writers += lease_caches_writes(one->state);
        readers += lease_caches_reads(one->state);
        if (!one->is_open)
            assert_true(one->state == LEASE_NONE && !one->breaking);
        if (one->breaking)
            assert_true(crowd->due[i]);
        for (size_t j = i + 1; j < CLIENTS; j++)
            assert_true(lease_states_coexist(one->state, crowd->clients[j].state));
        /* A cache that may be read from is that of the last write, except while its right is being taken. */
        if (lease_caches_reads(one->state) && !one->breaking)
            assert_true(crowd->cached[i] == crowd->version);
    }
    assert_true(writers <= 1);
    assert_true(writers == 0 || readers == 1);
}

static void crowd_acts(struct crowd *crowd, struct sim_random *random, int64_t now_ns)
{
    struct lease_file *file = &crowd->told.leases;
    const size_t client = (size_t)sim_random_below(random, CLIENTS);
    struct lease_holder *by = &crowd->clients[client];
    switch (sim_random_below(random, 8)) {
    case 0:
    case 1: {
        const enum lease_event how = (enum lease_event)sim_random_below(random, LEASE_OPEN_ATTRIBUTES + 1);
        const enum lease_state wanted = how == LEASE_OPEN_ATTRIBUTES
                                            ? LEASE_NONE
                                            : (enum lease_state)sim_random_below(random, LEASE_STATE_COUNT);
        if (!lease_file_event(file, by, how, now_ns) || how == LEASE_OPEN_CONFLICTING)
            break;
        if (how == LEASE_OPEN_OVERWRITING) {
            crowd->version++;
            crowd->cached[client] = crowd->version;
        }
        const bool was_open = by->is_open;
        const enum lease_state granted = lease_file_open(file, by, wanted);
        if (!was_open)
            assert_true(lease_may_acknowledge(wanted, granted) || granted == wanted);
        if (lease_caches_reads(granted))
            crowd->cached[client] = crowd->version;
        break;
    }
    case 2:
        if (by->is_open && lease_file_event(file, by, LEASE_READ, now_ns))
            for (size_t i = 0; i < CLIENTS; i++) /* who caches writes had to give them up first */
                assert_true(i == client || !lease_caches_writes(crowd->clients[i].state));
        break;
    case 3:
        if (by->is_open && lease_file_event(file, by, LEASE_WRITE, now_ns)) {
            crowd->version++;
            crowd->cached[client] = crowd->version;
            for (size_t i = 0; i < CLIENTS; i++)
                assert_true(i == client || !lease_caches_reads(crowd->clients[i].state) ||
                            crowd->clients[i].breaking);
        }
        break;
    case 4:
        lease_file_close(file, by);
        break;
    default:
        if (by->breaking) {
            assert_true(lease_file_acknowledge(
                file, by, sim_random_chance(random, 0.9) ? crowd->offered[client] : LEASE_NONE));
            crowd->due[client] = false;
        }
    }
}

static void random_traces_keep_the_invariants(void **state)
{
    (void)state;
    struct sim_random random;
    sim_random_init(&random, 4, 0, "crowd");
    uint64_t breaks = 0, expired = 0;
    for (int trace = 0; trace < 200; trace++) {
        struct crowd crowd = {0};
        lease_file_init(&crowd.told.leases, crowd_is_told);
        int64_t now_ns = 0;
        for (int i = 0; i < 1000; i++) {
            now_ns += (int64_t)sim_random_below(&random, 4000000000U);
            lease_file_expire(&crowd.told.leases, now_ns);
            assert_true(lease_file_next_expiry_ns(&crowd.told.leases) > now_ns);
            crowd_acts(&crowd, &random, now_ns);
            assert_invariants(&crowd);
        }
        breaks += crowd.told.leases.breaks;
        expired += crowd.told.leases.expired;
    }
    assert_true(breaks > 5000);
    assert_true(expired > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_state_and_event),
        cmocka_unit_test(breaks_only_take_away),
        cmocka_unit_test(what_a_state_allows),
        cmocka_unit_test(which_coexist),
        cmocka_unit_test(what_is_granted),
        cmocka_unit_test(an_open_waits_for_the_acknowledgement),
        cmocka_unit_test(who_does_not_answer_in_35_s_has_nothing),
        cmocka_unit_test(closing_answers_a_break),
        cmocka_unit_test(a_write_lowers_a_break_under_way),
        cmocka_unit_test(random_traces_keep_the_invariants),
    };
    return RUN_TESTS(tests);
}
