/* Bills to the cent: the published examples of Azure Files and of the others, the classes of transactions, what is included, and
 * that no price goes without its date. */
#include "tests/support/generator_scenario.h"
#include "vdisim/price.h"

/* Microsoft, file-estimate-cost, 25 Jul 2025: SSD v2 by the hour, 3,000 IOPS and 100 MiB/s included. */
static const struct price ssd_v2 = {.currency = "USD",
                                    .date = "2025-07",
                                    .region = "East US",
                                    .gib_month = 0.000137 * PRICE_HOURS_A_MONTH,
                                    .billed_fraction = 1.0,
                                    .iops_month = 0.000037 * PRICE_HOURS_A_MONTH,
                                    .included_iops = 3000.0,
                                    .throughput_month = 0.000054 * PRICE_HOURS_A_MONTH,
                                    .included_throughput = 100.0,
                                    .busy_fraction = 1.0};

static void published_examples_are_met_to_the_cent(void **state)
{
    (void)state;
    const struct {
        struct billed billed;
        double storage, iops, throughput, month;
    } examples[] = {
        {{.size_gib = 10240, .iops = 13240, .throughput = 1125}, 1024.10, 276.58, 40.41, 1341.09},
        {{.size_gib = 4096, .iops = 20000, .throughput = 1536}, 409.64, 459.17, 56.61, 925.42},
        {{.size_gib = 102400, .iops = 3000, .throughput = 100}, 10241.02, 0.0, 0.0, 10241.02},
        {{.size_gib = 1024, .iops = 500, .throughput = 60}, 102.41, 0.0, 0.0, 102.41},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const struct bill bill = price_bill(&ssd_v2, &examples[i].billed);
        assert_near(bill.storage, examples[i].storage, 0.005);
        assert_near(bill.iops, examples[i].iops, 0.005);
        assert_near(bill.throughput, examples[i].throughput, 0.005);
        assert_near(bill.month, examples[i].month, 0.01);
    }
    const struct price v1 = {.gib_month = 0.16, .billed_fraction = 1.0};
    assert_near(price_bill(&v1, &(struct billed){.size_gib = 10240}).month, 1638.40, 1e-9);
    assert_near(price_bill(&v1, &(struct billed){.size_gib = 17000}).month, 2720.0, 1e-9);
    const struct price fsx = {.gib_month = 0.23, .billed_fraction = 1.0, .throughput_month = 4.5};
    assert_near(price_bill(&fsx, &(struct billed){.throughput = 1024}).month, 4608.0, 1e-9);
}

/* One of each class a second for the whole month: an open is billed as a write, closing as other. */
static void each_class_has_its_meter(void **state)
{
    (void)state;
    const struct price cool = {.billed_fraction = 1.0,
                               .write_10k = 0.13,
                               .read_10k = 0.013,
                               .other_10k = 0.0057,
                               .retrieved_gib = 0.01,
                               .busy_fraction = 0.25};
    const double write = 657000.0 * 0.13 / 1e4, read = 657000.0 * 0.013 / 1e4,
                 other = 657000.0 * 0.0057 / 1e4;
    static const char meters[OPERATION_CLASS_COUNT] = {
        [CLASS_CREATE] = 'w', [CLASS_WRITE] = 'w', [CLASS_QUERY] = 'r',
        [CLASS_READ] = 'r',   [CLASS_CLOSE] = 'o', [CLASS_OTHER] = 'o'};
    for (int class_of = 0; class_of < OPERATION_CLASS_COUNT; class_of++) {
        struct billed billed = {0};
        billed.operations_per_s[class_of] = 1.0;
        const struct bill bill = price_bill(&cool, &billed);
        assert_near(bill.writes, meters[class_of] == 'w' ? write : 0.0, 1e-9);
        assert_near(bill.reads, meters[class_of] == 'r' ? read : 0.0, 1e-9);
        assert_near(bill.others, meters[class_of] == 'o' ? other : 0.0, 1e-9);
        assert_near(bill.transactions, bill.writes + bill.reads + bill.others, 1e-9);
        assert_near(bill.month, bill.transactions, 1e-9);
    }
    const struct bill retrieval = price_bill(&cool, &(struct billed){.egress_gib_per_s = 0.5});
    assert_near(retrieval.retrieval, 657000.0 * 0.5 * 0.01, 1e-9);
    assert_near(retrieval.month, retrieval.retrieval, 1e-9);
}

static void snapshots_and_fixed_parts_do_not_depend_on_the_load(void **state)
{
    (void)state;
    const struct price price = {.fixed_month = 350.4,
                                .snapshot_gib_month = 0.15,
                                .snapshot_bytes = INT64_C(100) << 30,
                                .billed_fraction = 1.0};
    const struct bill bill =
        price_bill(&price, &(struct billed){.size_gib = 1024, .operations_per_s = {9.0}});
    assert_near(bill.snapshots, 15.0, 1e-12);
    assert_near(bill.fixed, 350.4, 1e-12);
    assert_near(bill.month, 365.4, 1e-12);
}

static void a_price_has_its_currency_and_date(void **state)
{
    (void)state;
    struct parameter_problem problem = {0};
    struct price price = ssd_v2;
    assert_true(price_parameters.check(&price, &problem));
    price.date = NULL;
    assert_false(price_parameters.check(&price, &problem));
    assert_string_equal(problem.message, "a price needs its date, e.g. date: 2024-07, or is one of a list");
    price.currency = NULL;
    assert_false(price_parameters.check(&price, &problem));
    assert_true(
        price_parameters.check(&(struct price){.busy_fraction = 1.0}, &problem)); /* no price at all */
    char text[128];
    assert_string_equal(price_statement(&ssd_v2, text, sizeof text), "USD, prices of 2025-07, East US");
    price = (struct price){.currency = "EUR", .date = "undated"};
    assert_string_equal(price_statement(&price, text, sizeof text), "EUR, undated prices");
}

static void a_meter_that_the_tier_bills_must_be_priced(void **state)
{
    (void)state;
    static const char *const meters[] = {"gib_month", "iops", "throughput"};
    struct parameter_problem problem = {0};
    struct price price = ssd_v2;
    price.meters = (struct parameter_texts){meters, 3};
    assert_true(price_parameters.check(&price, &problem));
    price.iops_month = 0.0;
    assert_false(price_parameters.check(&price, &problem));
    assert_string_equal(problem.message, "this tier bills iops, of which the price list has no price");
    static const char *const unknown[] = {"iopz"};
    price.meters = (struct parameter_texts){unknown, 1};
    assert_false(price_parameters.check(&price, &problem));
}

/* What is bought is billed: IOPS and throughput of a share that sells them, nothing of one that does not. */
static void a_share_bills_what_it_sells(void **state)
{
    (void)state;
    struct generator_scenario test;
    for (int sells = 0; sells < 2; sells++) {
        generator_scenario_init(&test);
        test.share.price = ssd_v2;
        test.share.size_bytes = INT64_C(1) << 40;
        if (sells) {
            test.share.iops_min = 3000.0;
            test.share.provisioned_iops = 5000.0;
            test.share.throughput_min_bytes_per_s = 100.0 * 1048576.0;
            test.share.provisioned_bytes_per_s = 300.0 * 1048576.0;
            test.share.pooled_throughput = true;
        }
        generator_run(&test, 1.0, 8.0);
        assert_near_relative(generator_metric(&test, "cost.storage"), 1024.0 * 0.10001, 1e-12);
        assert_near(generator_metric(&test, "cost.iops"), sells ? 2000.0 * 0.02701 : 0.0, 1e-9);
        assert_near(generator_metric(&test, "cost.throughput"), sells ? 200.0 * 0.03942 : 0.0, 1e-9);
        assert_true(isnan(generator_metric(&test, "cost.writes")));   /* the list has no such price */
        assert_true(isnan(generator_metric(&test, "cost.per_user"))); /* there are none */
        world_destroy(test.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_examples_are_met_to_the_cent),
        cmocka_unit_test(each_class_has_its_meter),
        cmocka_unit_test(snapshots_and_fixed_parts_do_not_depend_on_the_load),
        cmocka_unit_test(a_price_has_its_currency_and_date),
        cmocka_unit_test(a_meter_that_the_tier_bills_must_be_priced),
        cmocka_unit_test(a_share_bills_what_it_sells),
    };
    return RUN_TESTS(tests);
}
