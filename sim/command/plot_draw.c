#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, environ */

#include "sim/command/plot_draw.h"

#include "sim/experiment/read/embedded.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern const struct embedded_file embedded_plots[]; /* plots/ *.gp, by cmake/embed.cmake */

static bool write_scripts(const struct plot_result *result, char *message, size_t message_size)
{
    for (const struct embedded_file *script = embedded_plots; script->name != NULL; script++) {
        struct writer writer = plot_open(result, script->name);
        if (writer.file != NULL)
            write_text(&writer, "%s", script->text);
        if (!plot_close(&writer, script->name, message, message_size))
            return false;
    }
    return true;
}

static bool make_plots_folder(const struct plot_result *result, char *message, size_t message_size)
{
    if (mkdir(result->plots, 0777) == 0 || errno == EEXIST)
        return true;
    snprintf(message, message_size, "cannot make '%s': %s", result->plots, strerror(errno));
    return false;
}

bool plot_begin(const struct plot_result *result, char *message, size_t message_size)
{
    return make_plots_folder(result, message, message_size) && write_scripts(result, message, message_size);
}

/* The environment, but in a locale that has UTF-8. NULL when memory is short; the texts are not copied. */
static char **utf8_environment(void)
{
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t count = 0, kept = 0;
    while (environ[count] != NULL)
        count++;
    char **environment = calloc(count + 2, sizeof *environment);
    for (size_t i = 0; environment != NULL && i < count; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0)
            environment[kept++] = environ[i];
    if (environment != NULL)
        environment[kept] = locale;
    return environment;
}

/* Starts gnuplot inside the plots folder, without a shell. 0 or an errno. */
static int start_gnuplot(const char *plots, char *const arguments[], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addchdir_np(&actions, plots);
    char **environment = utf8_environment();
    if (error == 0 && environment == NULL)
        error = ENOMEM;
    if (error == 0)
        error = posix_spawnp(child, "gnuplot", &actions, NULL, arguments, environment);
    free(environment);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool plot_draw(const struct plot_result *result, const struct picture *picture, const char *format,
               char *message, size_t message_size)
{
    char settings[128], set_format[32], script[64];
    snprintf(settings, sizeof settings, "%s.settings.gp", picture->name);
    snprintf(set_format, sizeof set_format, "format = '%s'", format);
    snprintf(script, sizeof script, "%s", picture->script);
    char gnuplot[] = "gnuplot", plain[] = "--default-settings", execute[] = "-e";
    char *const arguments[] = {gnuplot, plain, execute, set_format, settings, script, NULL};

    pid_t child;
    int status = 0, error = start_gnuplot(result->plots, arguments, &child);
    if (error == ENOENT) {
        snprintf(message, message_size,
                 "gnuplot is not installed (Debian: apt install gnuplot-nox); its scripts and data are in %s",
                 result->plots);
        return false;
    }
    if (error != 0) {
        snprintf(message, message_size, "cannot start gnuplot: %s", strerror(error));
        return false;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    snprintf(message, message_size, "gnuplot failed on %s with %s, both in %s", script, settings,
             result->plots);
    return false;
}
