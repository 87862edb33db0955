#include "sim/command/pages.h"
#include "vdisim/version.h"

#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(FILE *out)
{
    fprintf(out, "Usage: vdisim COMMAND [OPTION...] [FILE...]\n"
                 "Simulate the storage behind virtual desktops: how long profiles take to load, and why.\n\n"
                 "Commands:\n");
    for (const struct command *command = commands; command->name != NULL; command++)
        fprintf(out, "  %-11s %s\n", command->name, command->summary);
    fprintf(out, "\n  vdisim COMMAND --help   options of a command\n"
                 "  vdisim --version        version of the program\n\n"
                 "Start with: vdisim run experiments/published/citrix-azure-files.yaml\n");
}

static void print_version(void)
{
    printf("vdisim %s%s%s%s\n", VDISIM_VERSION, VDISIM_COMMIT[0] != '\0' ? " (" : "", VDISIM_COMMIT,
           VDISIM_COMMIT[0] != '\0' ? ")" : "");
}

static int flushed(void)
{
    return fflush(stdout) == 0 ? EXIT_FINE : EXIT_FAILED;
}

static int unknown_command(const char *name)
{
    const struct command *nearest = command_nearest(name);
    fprintf(stderr, "vdisim: '%s' is not a command", name);
    if (nearest != NULL)
        fprintf(stderr, ". Did you mean %s?", nearest->name);
    fprintf(stderr, "\nTry 'vdisim --help'.\n");
    return EXIT_USAGE;
}

/* Runs a command under the name "vdisim COMMAND", which its help and its complaints show. */
static int run_command(const struct command *command, int argc, char **argv)
{
    char name[64];
    snprintf(name, sizeof name, "vdisim %s", command->name);
    argv[0] = name;
    return command->run(argc, argv);
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN); /* a broken pipe is a failed write like any other */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that may not grow */
    argp_err_exit_status = EXIT_USAGE;

    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "-?") == 0) {
        print_help(stdout);
        return flushed();
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        print_version();
        return flushed();
    }
    if (strcmp(name, "help") == 0) {
        const struct command *about = argc > 2 ? command_find(argv[2]) : NULL;
        if (argc > 2 && about == NULL)
            return unknown_command(argv[2]);
        if (about != NULL)
            return run_command(about, 2, (char *[]){argv[2], "--help", NULL});
        print_help(stdout);
        return flushed();
    }
    if (strcmp(name, "--man-page") == 0) { /* what the build makes the man pages of */
        print_man_page(stdout, argc > 2 ? command_find(argv[2]) : NULL);
        return flushed();
    }
    const struct command *command = command_find(name);
    if (command == NULL)
        return unknown_command(name);
    return run_command(command, argc - 1, argv + 1);
}
