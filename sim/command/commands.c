#include "sim/command/command.h"

#include "sim/experiment/read/suggest.h"

#include <stddef.h>
#include <string.h>

const struct command commands[] = {
    {"run", "run experiments, print a table, write results", command_run, &run_parser},
    {"check", "read and validate experiments only", command_check, &check_parser},
    {"explain", "say where the time goes, what bound when, and what would help", command_explain,
     &explain_parser},
    {"rerun", "run a result again from its manifest and compare every byte", command_rerun, &rerun_parser},
    {"compare", "say what differs between two results, and whether by more than chance", command_compare,
     &compare_parser},
    {"sensitivity", "rank the inputs, the assumed ones first, by how far they move the answer",
     command_sensitivity, &sensitivity_parser},
    {"estimate", "estimate load times and what binds in milliseconds", command_estimate, &estimate_parser},
    {"size", "find the cheapest shares that meet targets", command_size, &size_parser},
    {"regress", "run experiments again and say what moved since their baselines", command_regress,
     &regress_parser},
    {"archive", "look into an archive of runs, query it, export results from it", command_archive,
     &archive_parser},
    {"merge", "put the shards of one experiment together", command_merge, &merge_parser},
    {"plot", "draw the pictures of a result folder with gnuplot", command_plot, &plot_parser},
    {"report", "write a result as one page to hand over", command_report, &report_parser},
    {"catalogue", "show the tiers, profiles and presets with their sources", command_catalogue,
     &catalogue_parser},
    {"completion", "print a script that completes commands and options in a shell", command_completion,
     &completion_parser},
    {NULL, NULL, NULL, NULL},
};

const struct command *command_find(const char *name)
{
    for (const struct command *command = commands; command->name != NULL; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

const struct command *command_nearest(const char *mistyped)
{
    struct suggestion suggestion = {.written = mistyped};
    for (const struct command *command = commands; command->name != NULL; command++)
        suggestion_offer(&suggestion, command->name);
    return suggestion.best == NULL ? NULL : command_find(suggestion.best);
}
