#include "sim/command/streams.h"

#include "sim/command/terminal.h"
#include "sim/experiment/result/altered.h"
#include "sim/experiment/result/json.h"
#include "sim/experiment/result/table.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool file_is_readable(const char *command, const char *file)
{
    char byte;
    int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    bool readable = descriptor >= 0 && read(descriptor, &byte, 1) >= 0;
    if (!readable)
        fprintf(stderr, "vdisim %s: cannot read '%s': %s\n", command, file, strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return readable;
}

void print_result(const struct result *result, const char *folder, enum output_format format,
                  struct writer *output)
{
    struct text_style style = {.utf8 = terminal_utf8(), .colour = terminal_colour(stdout)};
    if (format == FORMAT_JSON)
        result_print_json(result, output);
    else if (format == FORMAT_CSV)
        result_print_csv(result, output);
    else if (!report_print(result, folder, output, &style) && output->error == 0)
        output->error = ENOMEM;
}

bool output_is_flushed(const char *command, struct writer *output, bool line_goes_on)
{
    if (writer_flush(output))
        return true;
    if (output->error == EPIPE)
        fprintf(stderr, "vdisim %s: standard output was closed", command);
    else
        fprintf(stderr, "vdisim %s: cannot write to standard output: %s", command, strerror(output->error));
    if (!line_goes_on)
        fputc('\n', stderr);
    return false;
}

void warn_of_altered(const char *command, const char *folder)
{
    char names[ALTERED_NAMES_SIZE];
    size_t altered = folder_altered(folder, names);
    if (altered > 0)
        fprintf(stderr, "vdisim %s: warning: %s: %s %s written; vdisim rerun %s says what the run gives\n",
                command, folder, names,
                altered == 1 ? "was changed after it was" : "were changed after they were", folder);
}
