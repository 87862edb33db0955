#define _GNU_SOURCE /* nftw */

#include "sim/experiment/result/folder.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
    char *path, *temporary;
    bool replace;
    struct writer file;
    char file_name[64]; /* of the file that is open */
    int error;          /* errno of the first failure */
    char failed_name[64];
};

/* What a result folder holds for certain. */
static const char manifest[] = "manifest.json";

static char *joined(const char *folder, const char *separator, const char *name)
{
    size_t size = strlen(folder) + strlen(separator) + strlen(name) + 1;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s%s%s", folder, separator, name);
    return path;
}

/* The folder above, "." for a bare name; a trailing '/' does not count. */
static char *parent_of(const char *path)
{
    if (strchr(path, '/') == NULL)
        return strdup(".");
    char *parent = strdup(path);
    if (parent == NULL)
        return NULL;
    size_t length = strlen(parent);
    while (length > 1 && parent[length - 1] == '/')
        parent[--length] = '\0';
    char *slash = strrchr(parent, '/');
    if (slash == NULL) { /* "name/" */
        free(parent);
        return strdup(".");
    }
    if (slash == parent)
        parent[1] = '\0';
    else
        *slash = '\0';
    return parent;
}

static bool is_result_folder(const char *path)
{
    char *inside = joined(path, "/", manifest);
    bool found = inside != NULL && access(inside, F_OK) == 0;
    free(inside);
    return found;
}

static enum folder_answer check_existing(const char *path, bool replace, char *message, size_t message_size)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        if (errno == ENOENT)
            return FOLDER_FINE;
        snprintf(message, message_size, "cannot write results to '%s': %s", path, strerror(errno));
        return FOLDER_REFUSED;
    }
    if (!S_ISDIR(status.st_mode)) {
        snprintf(message, message_size, "'%s' exists and is no folder; give another with --out", path);
        return FOLDER_EXISTS;
    }
    if (replace && !is_result_folder(path)) {
        snprintf(message, message_size,
                 "'%s' is not a result folder, so it is not replaced; give another with --out", path);
        return FOLDER_EXISTS;
    }
    if (!replace) {
        snprintf(message, message_size,
                 "'%s' exists; replace it with --force or give another folder with --out", path);
        return FOLDER_EXISTS;
    }
    return FOLDER_FINE;
}

/* A folder with a name of its own beside the place of the result; NULL with errno. */
static char *make_temporary(const char *parent)
{
    for (int attempt = 0; attempt < 1000; attempt++) {
        char name[64];
        snprintf(name, sizeof name, ".vdisim-%ld-%d", (long)getpid(), attempt);
        char *path = joined(parent, "/", name);
        if (path == NULL || mkdir(path, 0777) == 0)
            return path;
        int why = errno;
        free(path);
        errno = why;
        if (why != EEXIST)
            break;
    }
    return NULL;
}

/* Whether a folder can be made in the nearest one above that exists: tried, since permissions do not tell
 * all. */
static bool can_write_above(const char *path)
{
    char *parent = parent_of(path);
    while (parent != NULL && access(parent, F_OK) != 0 && errno == ENOENT && strcmp(parent, ".") != 0 &&
           strcmp(parent, "/") != 0) {
        char *above = parent_of(parent);
        free(parent);
        parent = above;
    }
    char *probe = parent == NULL ? NULL : make_temporary(parent);
    bool fine = probe != NULL && rmdir(probe) == 0;
    int why = errno;
    free(probe);
    free(parent);
    errno = why;
    return fine;
}

enum folder_answer folder_check(const char *path, bool replace, char *message, size_t message_size)
{
    enum folder_answer answer = check_existing(path, replace, message, message_size);
    if (answer != FOLDER_FINE)
        return answer;
    if (can_write_above(path))
        return FOLDER_FINE;
    snprintf(message, message_size, "cannot write results to '%s': %s", path, strerror(errno));
    return FOLDER_REFUSED;
}

static bool make_folders(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0) {
        errno = ENOTDIR;
        return S_ISDIR(status.st_mode);
    }
    char *parent = parent_of(path);
    bool fine = parent != NULL && strcmp(parent, path) != 0 && make_folders(parent) &&
                (mkdir(path, 0777) == 0 || errno == EEXIST);
    int why = errno;
    free(parent);
    errno = why;
    return fine;
}

static void release(struct folder *folder)
{
    free(folder->path);
    free(folder->temporary);
    free(folder);
}

struct folder *folder_create(const char *path, bool replace, char *message, size_t message_size)
{
    struct folder *folder = calloc(1, sizeof *folder);
    char *parent = parent_of(path);
    snprintf(message, message_size, "out of memory");
    if (folder == NULL || parent == NULL)
        goto failed;
    folder->replace = replace;
    folder->path = strdup(path);
    if (folder->path == NULL)
        goto failed;
    for (size_t length = strlen(folder->path); length > 1 && folder->path[length - 1] == '/'; length--)
        folder->path[length - 1] = '\0';
    if (!make_folders(parent) || (folder->temporary = make_temporary(parent)) == NULL) {
        snprintf(message, message_size, "cannot write results to '%s': %s", path, strerror(errno));
        goto failed;
    }
    free(parent);
    return folder;
failed:
    free(parent);
    if (folder != NULL)
        release(folder);
    return NULL;
}

static void remember_failure(struct folder *folder, int error)
{
    if (folder->error != 0)
        return;
    folder->error = error != 0 ? error : EIO;
    snprintf(folder->failed_name, sizeof folder->failed_name, "%s", folder->file_name);
}

struct writer *folder_open(struct folder *folder, const char *name)
{
    assert(folder->file.file == NULL && strlen(name) < sizeof folder->file_name);
    snprintf(folder->file_name, sizeof folder->file_name, "%s", name);
    char *path = joined(folder->temporary, "/", name);
    folder->file = (struct writer){.file = path == NULL ? NULL : fopen(path, "w")};
    if (folder->file.file == NULL) {
        remember_failure(folder, path == NULL ? ENOMEM : errno);
        folder->file.file = fopen("/dev/null", "w");
    }
    free(path);
    return &folder->file;
}

void folder_close_file(struct folder *folder)
{
    if (!writer_close(&folder->file))
        remember_failure(folder, folder->file.error);
}

bool folder_hash_file(struct folder *folder, const char *name, char sha256[SHA256_HEX_SIZE])
{
    assert(folder->file.file == NULL && strlen(name) < sizeof folder->file_name);
    sha256[0] = '\0';
    if (folder->error != 0)
        return false;
    char *path = joined(folder->temporary, "/", name);
    bool fine = path != NULL && sha256_file(path, sha256);
    if (!fine) {
        snprintf(folder->file_name, sizeof folder->file_name, "%s", name);
        remember_failure(folder, path == NULL ? ENOMEM : errno);
    }
    free(path);
    return fine;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

static bool remove_tree(const char *path)
{
    return nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS) == 0;
}

static bool sync_folder(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    bool fine = fsync(descriptor) == 0 || errno == EINVAL;
    int why = errno;
    close(descriptor);
    errno = why;
    return fine;
}

/* The old folder steps aside, the new one takes its name, the old one goes. */
static bool take_name(struct folder *folder)
{
    if (!folder->replace || access(folder->path, F_OK) != 0)
        return rename(folder->temporary, folder->path) == 0;
    char *aside = joined(folder->temporary, ".", "old");
    bool fine = false;
    if (aside != NULL) {
        fine = rename(folder->path, aside) == 0;
        if (fine && rename(folder->temporary, folder->path) != 0) {
            int why = errno;
            rename(aside, folder->path);
            errno = why;
            fine = false;
        }
        if (fine)
            remove_tree(aside);
    }
    int why = errno;
    free(aside);
    errno = why;
    return fine;
}

bool folder_commit(struct folder *folder, char *message, size_t message_size)
{
    assert(folder->file.file == NULL);
    folder->file_name[0] = '\0';
    if (folder->error == 0 && (!sync_folder(folder->temporary) || !take_name(folder)))
        remember_failure(folder, errno);
    if (folder->error != 0) {
        snprintf(message, message_size, "cannot write '%s%s%s': %s; no results were kept", folder->path,
                 folder->failed_name[0] != '\0' ? "/" : "", folder->failed_name, strerror(folder->error));
        folder_abandon(folder);
        return false;
    }
    char *parent = parent_of(folder->path);
    if (parent != NULL)
        sync_folder(parent);
    free(parent);
    release(folder);
    return true;
}

void folder_abandon(struct folder *folder)
{
    if (folder->file.file != NULL)
        fclose(folder->file.file);
    remove_tree(folder->temporary);
    release(folder);
}
