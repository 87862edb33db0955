/* The subcommands of the program: `vdisim NAME ...` runs the command of that name.
 *
 * A new command is one file with one function, one parser, and one line in commands.c. A command parses its own arguments
 * with argp (argv[0] is "vdisim NAME"), prints results on standard output and everything else on standard
 * error, and returns one of the exit states below. It holds no logic that a user of the library would want.
 */
#ifndef VDISIM_COMMAND_H
#define VDISIM_COMMAND_H

enum exit_status {
    EXIT_FINE = 0,
    EXIT_FAILED = 1,     /* while running: disk full, unreadable, out of memory */
    EXIT_USAGE = 2,      /* wrong usage or input */
    EXIT_MISSED = 3,     /* an expectation or a target missed */
    EXIT_REGRESSION = 4, /* a regression found */
    EXIT_INTERRUPTED = 130,
};

struct argp;

struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
    const struct argp
        *parser; /* what run() parses its arguments with: help, man pages and completion are made of it */
};

/* Ends with a command whose name is NULL. */
extern const struct command commands[];

/* The command of that name, or NULL. */
const struct command *command_find(const char *name);

/* The command whose name is the most like a mistyped one, or NULL when none is. */
const struct command *command_nearest(const char *mistyped);

int command_run(int argc, char **argv);
int command_check(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_rerun(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_sensitivity(int argc, char **argv);
int command_estimate(int argc, char **argv);
int command_size(int argc, char **argv);
int command_regress(int argc, char **argv);
int command_archive(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_plot(int argc, char **argv);
int command_report(int argc, char **argv);
int command_catalogue(int argc, char **argv);
int command_completion(int argc, char **argv);

extern const struct argp run_parser;
extern const struct argp check_parser;
extern const struct argp explain_parser;
extern const struct argp rerun_parser;
extern const struct argp compare_parser;
extern const struct argp sensitivity_parser;
extern const struct argp estimate_parser;
extern const struct argp size_parser;
extern const struct argp regress_parser;
extern const struct argp archive_parser;
extern const struct argp merge_parser;
extern const struct argp plot_parser;
extern const struct argp report_parser;
extern const struct argp catalogue_parser;
extern const struct argp completion_parser;

#endif
