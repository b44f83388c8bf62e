/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The daemon as a child process over a scratch store. */
#ifndef TARGET_PROCESS_H
#define TARGET_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "initiator.h"

struct target_process {
  pid_t pid;
  uint16_t port;
  char subsystem[256];                /* NQN, as its first line says */
  const char *store, *identity, *log; /* paths */
};

/**
 * Starts a target on any port, as INI_SUBSYSTEM.
 *
 * @param name     of its scratch files; the same name finds the same store again
 * @param options  further ones, NULL at the end; NULL: none
 */
bool target_start(struct target_process *target, const char *name, const char *const *options);

/** The same with nothing on its command line but store, port and `options`. */
bool target_start_plain(struct target_process *target, const char *name,
                        const char *const *options);

/** The same, with its log written into a file that is open. */
bool target_start_logging(struct target_process *target, const char *name,
                          const char *const *options, int log);

/** SIGTERM. @return its exit status: 0 if it closed in order, and no sanitizer found anything */
int target_stop(struct target_process *target);

/** SIGKILL. */
void target_kill(struct target_process *target);

/** Waits until the log has that text. @return false if it has not within a minute */
bool target_logged(const struct target_process *target, const char *text);

/** Waits until more than `before` lines of the log have that text. @return as above */
bool target_logged_again(const struct target_process *target, const char *text, int before);

/** Lines of the log that have that text. */
int target_log_count(const struct target_process *target, const char *text);

/** Peak resident memory of the target, KiB; -1 where /proc does not say. */
long target_peak_kib(const struct target_process *target);

/** Checks that the peak is not far above `at_start`; only prints it under a sanitizer. */
void target_check_growth(const struct target_process *target, long at_start);

#endif
