/* vdisim completion: a script that completes commands and options in a shell. */
#include "sim/command/pages.h"

#include <ctype.h>
#include <string.h>

enum shell { SHELL_NONE, SHELL_BASH, SHELL_ZSH, SHELL_FISH };

static error_t parse_argument(int key, char *argument, struct argp_state *state)
{
    enum shell *shell = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "too many arguments");
        if (strcmp(argument, "bash") == 0)
            *shell = SHELL_BASH;
        else if (strcmp(argument, "zsh") == 0)
            *shell = SHELL_ZSH;
        else if (strcmp(argument, "fish") == 0)
            *shell = SHELL_FISH;
        else
            argp_error(state, "'%s' is not a shell it knows (bash, zsh, fish)", argument);
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "for which shell: bash, zsh or fish?");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp completion_parser = {
    NULL,
    parse_argument,
    "bash|zsh|fish",
    "Print a script that completes commands and options in a shell.\v"
    "For one session of bash: source <(vdisim completion bash). For all: write it to "
    "~/.local/share/bash-completion/completions/vdisim, for zsh to a file _vdisim in a folder of $fpath, for "
    "fish "
    "to ~/.config/fish/completions/vdisim.fish.",
    NULL,
    NULL,
    NULL,
};

/* The choices of an option whose argument is written as a|b|c; an empty text otherwise. */
static const char *choices_of(const struct argp_option *option)
{
    return option->arg != NULL && strchr(option->arg, '|') != NULL ? option->arg : "";
}

static void print_words(const char *bars)
{
    for (; *bars != '\0'; bars++)
        putchar(*bars == '|' ? ' ' : *bars);
}

/* A text within single quotes of a shell. */
static void print_quoted(const char *text)
{
    putchar('\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
    putchar('\'');
}

#define FOR_EACH_COMMAND(command)                                                                            \
    for (const struct command *command = commands; command->name != NULL; command++)
#define FOR_EACH_OPTION(option, command)                                                                     \
    for (const struct argp_option *option = (command)->parser->options;                                      \
         option != NULL && (option->name != NULL || option->key != 0); option++)                             \
        if (option_is_shown(option))

static void print_bash(void)
{
    fputs("_vdisim()\n{\n    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]} words=\n"
          "    if [ \"$word\" = = ]; then word=; elif [ \"$before\" = = ]; then "
          "before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='--help --version",
          stdout);
    FOR_EACH_COMMAND(command)
    printf(" %s", command->name);
    fputs("'\n    else\n        case $command$before in\n", stdout);
    FOR_EACH_COMMAND(command)
    FOR_EACH_OPTION(option, command)
    if (choices_of(option)[0] != '\0') {
        printf("        %s--%s) words='", command->name, option->name);
        print_words(option->arg);
        fputs("' ;;\n", stdout);
    }
    fputs("        *) case $command in\n", stdout);
    FOR_EACH_COMMAND(command)
    {
        printf("        %s) words='", command->name);
        FOR_EACH_OPTION(option, command)
        printf("--%s%s ", option->name, option->arg != NULL ? "=" : "");
        fputs("--help' ;;\n", stdout);
    }
    fputs("        esac\n           case $word in -*) ;; *) words= ;; esac ;;\n        esac\n    fi\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "    case ${COMPREPLY[0]-} in *=) compopt -o nospace ;; esac\n}\n"
          "complete -o default -F _vdisim vdisim\n",
          stdout);
}

static void print_zsh(void)
{
    fputs("#compdef vdisim\n_vdisim() {\n    if (( CURRENT == 2 )); then\n        local -a commands=(\n",
          stdout);
    FOR_EACH_COMMAND(command)
    {
        fputs("            ", stdout);
        char line[256];
        snprintf(line, sizeof line, "%s:%s", command->name, command->summary);
        print_quoted(line);
        putchar('\n');
    }
    fputs("        )\n        _describe command commands\n        return\n    fi\n    case $words[2] in\n",
          stdout);
    FOR_EACH_COMMAND(command)
    {
        printf("    %s) _arguments ", command->name);
        FOR_EACH_OPTION(option, command)
        {
            const char *choices = choices_of(option);
            printf("'--%s%s", option->name, option->arg == NULL ? "" : "=:value:");
            if (choices[0] != '\0') {
                putchar('(');
                print_words(choices);
                putchar(')');
            } else if (option->arg != NULL) {
                fputs("_files", stdout);
            }
            fputs("' ", stdout);
        }
        fputs("'*:file:_files' ;;\n", stdout);
    }
    fputs("    esac\n}\ncompdef _vdisim vdisim\n", stdout);
}

static void print_fish(void)
{
    FOR_EACH_COMMAND(command)
    {
        printf("complete -c vdisim -n __fish_use_subcommand -f -a %s -d ", command->name);
        print_quoted(command->summary);
        putchar('\n');
        FOR_EACH_OPTION(option, command)
        {
            printf("complete -c vdisim -n '__fish_seen_subcommand_from %s' -l %s", command->name,
                   option->name);
            if (isgraph(option->key) && option->key < 128)
                printf(" -s %c", option->key);
            if (option->arg != NULL)
                fputs(" -r", stdout);
            if (choices_of(option)[0] != '\0') {
                fputs(" -f -a '", stdout);
                print_words(option->arg);
                putchar('\'');
            }
            fputs(" -d ", stdout);
            print_quoted(option->doc);
            putchar('\n');
        }
    }
}

int command_completion(int argc, char **argv)
{
    enum shell shell = SHELL_NONE;
    argp_parse(&completion_parser, argc, argv, 0, NULL, &shell);
    if (shell == SHELL_BASH)
        print_bash();
    else if (shell == SHELL_ZSH)
        print_zsh();
    else
        print_fish();
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_FINE : EXIT_FAILED;
}
