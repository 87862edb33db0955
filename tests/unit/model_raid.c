/* RAID arithmetic: which operations of members a read or a write costs, counted exactly, and that no two pages of a volume
 * share a place. */
#include "tests/support/check.h"
#include "vdisim/raid.h"

#include <stdlib.h>
#include <string.h>

struct count {
    unsigned first_reads, first_writes, second_reads, second_writes;
    uint64_t pages_read, pages_written;
};

static struct count count_of(const struct raid *raid, bool writes, uint32_t page, uint32_t pages)
{
    struct raid_steps steps = {0};
    struct count count = {0};
    assert_true(raid_plan(raid, writes, page, pages, &steps));
    for (size_t i = 0; i < steps.count; i++) {
        const struct raid_step *step = &steps.list[i];
        assert_true(step->member + step->copies <= raid->members && step->pages > 0);
        if (step->second)
            *(step->writes ? &count.second_writes : &count.second_reads) += 1;
        else
            *(step->writes ? &count.first_writes : &count.first_reads) += 1;
        *(step->writes ? &count.pages_written : &count.pages_read) += step->pages;
    }
    assert_int_equal(steps.has_second, count.second_reads + count.second_writes > 0);
    raid_steps_release(&steps);
    return count;
}

static void assert_count(const struct raid *raid, bool writes, uint32_t page, uint32_t pages, unsigned reads,
                         unsigned writes_at_once, unsigned writes_then)
{
    const struct count count = count_of(raid, writes, page, pages);
    assert_int_equal(count.first_reads, reads);
    assert_int_equal(count.first_writes, writes_at_once);
    assert_int_equal(count.second_writes, writes_then);
    assert_int_equal(count.second_reads, 0);
}

static void small_writes_pay_their_penalty(void **state)
{
    (void)state;
    static const struct {
        enum raid_level level;
        uint32_t members;
        unsigned reads, at_once, then;
    } cases[] = {
        {RAID_NONE, 1, 0, 1, 0}, {RAID_0, 5, 0, 1, 0},  {RAID_1, 2, 0, 2, 0}, {RAID_1, 3, 0, 3, 0},
        {RAID_10, 4, 0, 2, 0},   {RAID_10, 8, 0, 2, 0}, {RAID_5, 3, 2, 0, 2}, {RAID_5, 4, 2, 0, 2},
        {RAID_5, 9, 2, 0, 2},    {RAID_6, 4, 3, 0, 3},  {RAID_6, 5, 3, 0, 3}, {RAID_6, 12, 3, 0, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct raid raid = {cases[i].level, cases[i].members, 16};
        for (uint32_t page = 0; page < 1000; page += 7) {
            assert_count(&raid, true, page, 1, cases[i].reads, cases[i].at_once, cases[i].then);
            assert_count(&raid, false, page, 1, 1, 0, 0);
        }
    }
}

static void whole_rows_cost_no_reads(void **state)
{
    (void)state;
    static const struct raid raids[] = {{RAID_5, 3, 16}, {RAID_5, 5, 4}, {RAID_6, 4, 16}, {RAID_6, 8, 2}};
    for (size_t i = 0; i < sizeof raids / sizeof raids[0]; i++) {
        const struct raid *raid = &raids[i];
        const uint32_t row = raid->unit_pages * raid_data_units(raid);
        for (uint32_t first = 0; first < 20; first++)
            for (uint32_t rows = 1; rows < 4; rows++)
                assert_count(raid, true, first * row, rows * row, 0, rows * raid->members, 0);
        /* One page less, and it must read: the last unit of the row is not whole. */
        const struct count less = count_of(raid, true, 0, row - 1);
        assert_true(less.first_reads > 0 && less.second_writes == raid->members);
    }
    const struct raid ten = {RAID_10, 6, 16};
    assert_count(&ten, true, 0, 48, 0, 6, 0);
}

/* RAID 5 of 9, units of 4 pages: 8 data units a row. */
static void large_parts_of_a_row_read_the_rest_if_that_is_less(void **state)
{
    (void)state;
    const struct raid raid = {RAID_5, 9, 4};
    assert_count(&raid, true, 0, 4 * 2, 2 + 1, 0, 2 + 1); /* two units: modify */
    assert_count(&raid, true, 0, 4 * 6, 2, 0, 6 + 1);     /* six: read the two others */
    assert_count(&raid, true, 0, 4 * 7, 1, 0, 7 + 1);
    const struct raid six = {RAID_6, 9, 4};
    assert_count(&six, true, 0, 4 * 3, 4, 0, 3 + 2); /* four to read instead of three and two */
    /* Units covered in part count as to be read. */
    assert_count(&raid, true, 1, 4 * 7, 2, 0, 8 + 1);
    /* Across the end of a row: each row for itself. */
    assert_count(&raid, true, 31, 2, 2 * 2, 0, 2 * 2);
}

/* Three of the seven units of a row: four to read either way. Then it is modified, at the places that are written. */
static void what_costs_the_same_is_modified(void **state)
{
    (void)state;
    const struct raid raid = {RAID_5, 8, 4};
    assert_count(&raid, true, 0, 4 * 3, 3 + 1, 0, 3 + 1);
    struct raid_steps steps = {0};
    assert_true(raid_plan(&raid, true, 0, 4 * 3, &steps));
    bool written[8] = {false};
    for (size_t i = 0; i < steps.count; i++)
        written[steps.list[i].member] |= steps.list[i].writes;
    for (size_t i = 0; i < steps.count; i++)
        assert_true(written[steps.list[i].member]);
    raid_steps_release(&steps);
}

static void a_write_writes_its_pages_and_their_parity(void **state)
{
    (void)state;
    const struct raid five = {RAID_5, 4, 16}, six = {RAID_6, 6, 16}, ten = {RAID_10, 4, 16};
    assert_int_equal(count_of(&five, true, 100, 3).pages_written, 2 * 3);
    assert_int_equal(count_of(&six, true, 100, 3).pages_written, 3 * 3);
    assert_int_equal(count_of(&ten, true, 100, 100).pages_written, 2 * 100);
    assert_int_equal(count_of(&ten, false, 100, 100).pages_read, 100);
    assert_int_equal(count_of(&five, false, 5, 1000).pages_read, 1000);
}

/* Reads one page at a time and looks where they are: no place twice, none on a parity unit, members used evenly. */
static void pages_have_places_of_their_own(void **state)
{
    (void)state;
    static const struct raid raids[] = {{RAID_NONE, 1, 4}, {RAID_0, 3, 4}, {RAID_1, 2, 4},
                                        {RAID_5, 4, 4},    {RAID_6, 5, 4}, {RAID_10, 6, 4}};
    enum { ROWS = 60, UNIT = 4 };
    for (size_t i = 0; i < sizeof raids / sizeof raids[0]; i++) {
        const struct raid *raid = &raids[i];
        const uint32_t member_pages = ROWS * UNIT, pages = member_pages * raid_data_units(raid);
        char *taken = calloc(raid->members, member_pages);
        struct raid_steps steps = {0};
        for (uint32_t page = 0; page < pages; page++) {
            assert_true(raid_plan(raid, false, page, 1, &steps));
            assert_int_equal(steps.count, 1);
            const struct raid_step *step = &steps.list[0];
            assert_true(step->page < member_pages);
            for (uint32_t copy = 0; copy < step->copies; copy++) {
                char *place = &taken[(step->member + copy) * member_pages + step->page];
                assert_int_equal(*place, 0);
                *place = 1;
            }
            /* Written where it is read, and parity elsewhere. */
            assert_true(raid_plan(raid, true, page, 1, &steps));
            bool there = false;
            for (size_t s = 0; s < steps.count; s++)
                if (steps.list[s].writes)
                    there |= taken[steps.list[s].member * member_pages + steps.list[s].page] == 1;
            assert_true(there);
        }
        size_t used = 0;
        for (size_t place = 0; place < (size_t)raid->members * member_pages; place++)
            used += (size_t)taken[place];
        const size_t parity = (size_t)ROWS * UNIT * raid_parity_units(raid);
        assert_int_equal(used, (size_t)raid->members * member_pages - parity);
        free(taken);
        raid_steps_release(&steps);
    }
}

static void parity_moves_over_all_members(void **state)
{
    (void)state;
    const struct raid raid = {RAID_5, 5, 1};
    unsigned parity_writes[5] = {0};
    struct raid_steps steps = {0};
    for (uint32_t row = 0; row < 50; row++) {
        assert_true(raid_plan(&raid, true, 4 * row, 4, &steps));
        parity_writes[steps.list[steps.count - 1].member]++;
    }
    for (int member = 0; member < 5; member++)
        assert_int_equal(parity_writes[member], 10);
    raid_steps_release(&steps);
}

static void impossible_arrays_are_named(void **state)
{
    (void)state;
    assert_null(raid_problem(RAID_5, 3));
    assert_null(raid_problem(RAID_6, 4));
    assert_null(raid_problem(RAID_10, 4));
    assert_null(raid_problem(RAID_NONE, 1));
    assert_string_equal(raid_problem(RAID_5, 2), "RAID 5 needs at least three members");
    assert_string_equal(raid_problem(RAID_6, 3), "RAID 6 needs at least four members");
    assert_string_equal(raid_problem(RAID_10, 5), "RAID 10 needs an even number of members");
    assert_non_null(raid_problem(RAID_10, 2));
    assert_non_null(raid_problem(RAID_0, 0));
    assert_non_null(raid_problem(RAID_1, 1));
    assert_non_null(raid_problem(RAID_NONE, 0));
    assert_non_null(raid_problem(RAID_NONE, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_writes_pay_their_penalty),
        cmocka_unit_test(whole_rows_cost_no_reads),
        cmocka_unit_test(large_parts_of_a_row_read_the_rest_if_that_is_less),
        cmocka_unit_test(what_costs_the_same_is_modified),
        cmocka_unit_test(a_write_writes_its_pages_and_their_parity),
        cmocka_unit_test(pages_have_places_of_their_own),
        cmocka_unit_test(parity_moves_over_all_members),
        cmocka_unit_test(impossible_arrays_are_named),
    };
    return RUN_TESTS(tests);
}
