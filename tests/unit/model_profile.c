/* The law of file sizes, and which parts of a profile roam. */
#include "tests/support/check.h"
#include "vdisim/cpm.h"
#include "vdisim/profile.h"

static struct profile_settings published(void)
{
    return (struct profile_settings){
        .file_size_min_bytes = 85000,
        .file_size_max_bytes = 5225000,
        .file_size_mean_bytes = 1015000,
        .parts = {{399, 20, "AppData\\Roaming"}, {350, 3, "Documents"}, {150, 10, "AppData\\Local\\Temp"}},
        .large_file_path = "OSTFolder\\mailbox.ost"};
}

static void sizes_have_the_asked_mean_and_range(void **state)
{
    (void)state;
    const struct profile_settings settings = published();
    const struct file_size_law law = file_size_law(&settings);
    assert_near_relative(file_size_law_mean(&law), 1015000.0, 1e-9);
    /* The mean again, by the quantile function: its integral over (0, 1). */
    const int steps = 200000;
    double sum = 0.0;
    for (int i = 0; i < steps; i++)
        sum += (double)file_size_at(&law, (i + 0.5) / steps);
    assert_near_relative(sum / steps, 1015000.0, 1e-4);
    assert_between((double)file_size_at(&law, 1e-12), 84999.0, 85001.0);
    assert_between((double)file_size_at(&law, 1.0 - 1e-12), 5224990.0, 5225000.0);
}

static void a_mean_at_either_end_is_reached(void **state)
{
    (void)state;
    struct profile_settings settings = published();
    const int64_t means[] = {90000, 500000, 2655000, 5000000};
    for (size_t i = 0; i < sizeof means / sizeof means[0]; i++) {
        settings.file_size_mean_bytes = means[i];
        const struct file_size_law law = file_size_law(&settings);
        assert_near_relative(file_size_law_mean(&law), (double)means[i], 1e-6);
    }
}

static void patterns_match_as_windows_does(void **state)
{
    (void)state;
    assert_true(cpm_pattern_matches("OSTFolder\\*.ost", "OSTFolder\\mailbox.ost"));
    assert_true(cpm_pattern_matches("ostfolder\\*.OST", "OSTFolder\\mailbox.ost"));
    assert_true(cpm_pattern_matches("*", ""));
    assert_true(cpm_pattern_matches("a?c*", "abcde"));
    assert_true(cpm_pattern_matches("*a*b", "aaabab"));
    assert_false(cpm_pattern_matches("OSTFolder\\*.ost", "OSTFolder\\mailbox.pst"));
    assert_false(cpm_pattern_matches("a?c", "ac"));
    assert_false(cpm_pattern_matches("", "a"));
}

static void parts_roam_as_the_policies_say(void **state)
{
    (void)state;
    static const char *const temp[] = {"AppData\\Local\\Temp*"};
    const struct profile_settings profile = published();
    struct cpm_settings settings = {.exclusion_patterns = {temp, 1}};
    for (int redirection = 0; redirection < 2; redirection++) {
        for (int exclusions = 0; exclusions < 2; exclusions++) {
            settings.folder_redirection = redirection;
            settings.exclusions = exclusions;
            assert_true(cpm_part_roams(&settings, &profile, PART_PROFILE));
            assert_int_equal(cpm_part_roams(&settings, &profile, PART_REDIRECTED), !redirection);
            assert_int_equal(cpm_part_roams(&settings, &profile, PART_EXCLUDABLE), !exclusions);
        }
    }
    static const char *const ost[] = {"OSTFolder\\*.ost"};
    settings.large_file_patterns = (struct parameter_texts){ost, 1};
    assert_false(cpm_links_large_files(&settings, &profile));
    settings.large_file_handling = true;
    assert_true(cpm_links_large_files(&settings, &profile));
    settings.large_file_patterns.count = 0;
    assert_false(cpm_links_large_files(&settings, &profile));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_have_the_asked_mean_and_range),
        cmocka_unit_test(a_mean_at_either_end_is_reached),
        cmocka_unit_test(patterns_match_as_windows_does),
        cmocka_unit_test(parts_roam_as_the_policies_say),
    };
    return RUN_TESTS(tests);
}
