/* Stands between the service and the C library, to make faults that take no special disk (LD_PRELOAD). Each is switched by the
 * environment; those that begin and end while the service runs, by a file that is there or not. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); real; })

static int is_there(const char *variable) {
    const char *path = getenv(variable);
    return path && access(path, F_OK) == 0;
}

/* Whether writes to this file fail now: databases and their journals. */
static int fails(int file) {
    if (!is_there("FAULT_EIO_WHILE")) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, ".db") != NULL;
}

#define WRITE(name, offset_type) \
    ssize_t name(int file, const void *bytes, size_t count, offset_type offset) { \
        if (fails(file)) { errno = EIO; return -1; } \
        return REAL(name)(file, bytes, count, offset); \
    }
WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

static int synchronise(int file, int (*real)(int)) {
    if (fails(file)) { errno = EIO; return -1; }
    const char *delay = getenv("FAULT_SYNC_MS");
    if (delay) usleep(1000 * atoi(delay));
    return getenv("FAULT_NO_SYNC") ? 0 : real(file);
}
int fsync(int file) { return synchronise(file, REAL(fsync)); }
int fdatasync(int file) { return synchronise(file, REAL(fdatasync)); }

/* Shifts the time of day by the seconds in a file; what only counts on is left alone. */
int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = REAL(clock_gettime)(clock, time);
    const char *path = getenv("FAULT_CLOCK_SECONDS");
    if (result != 0 || clock != CLOCK_REALTIME || !path) return result;
    FILE *file = fopen(path, "r");
    long seconds = 0;
    if (file) {
        if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
        fclose(file);
    }
    time->tv_sec += seconds;
    return result;
}
