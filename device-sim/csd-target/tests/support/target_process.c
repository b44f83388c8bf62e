/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "target_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/scratch.h"

enum { MAX_OPTIONS = 32, LINE_BYTES = 2048, PAUSE_US = 10000 };
enum { TRIES = 6000 }; /* a minute: only a test that fails waits that long */

static const char *file_of(const char *name, const char *kind) {
  char text[200];
  snprintf(text, sizeof text, "%s.%s", name, kind);
  return scratch_path(text);
}

static void run_child(const struct target_process *target, int out, int log,
                      const char *const *options) {
  const char *arguments[MAX_OPTIONS] = {CSD_TARGET_BINARY, "--store", target->store, "--port", "0"};
  int count = 5;
  for (int i = 0; options != NULL && options[i] != NULL && count < MAX_OPTIONS - 1; i++) {
    arguments[count++] = options[i];
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(out, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(CSD_TARGET_BINARY, (char *const *)(uintptr_t)arguments);
  _exit(127);
}

/* "csd-target: NQN on ADDRESS port N" */
static bool parse_line(struct target_process *target, const char *line) {
  unsigned port;
  if (sscanf(line, "csd-target: %255s on %*s port %u", target->subsystem, &port) != 2) {
    return false;
  }
  target->port = (uint16_t)port;
  return true;
}

bool target_start_logging(struct target_process *target, const char *name,
                          const char *const *options, int log) {
  int pipes[2];
  char line[LINE_BYTES];
  target->store = file_of(name, "vol");
  target->identity = file_of(name, "vol.id");
  target->log = file_of(name, "log");
  if (pipe2(pipes, O_CLOEXEC) != 0) {
    return false;
  }
  fflush(NULL);
  target->pid = fork();
  if (target->pid == 0) {
    run_child(target, pipes[1], log, options);
  }
  close(pipes[1]);
  FILE *out = fdopen(pipes[0], "r");
  target->port = 0;
  const bool started =
      out != NULL && fgets(line, sizeof line, out) != NULL && parse_line(target, line);
  if (out != NULL) {
    fclose(out);
  }
  if (!started) {
    fprintf(stderr, "the target did not start; see its log\n");
  }
  return started;
}

bool target_start_plain(struct target_process *target, const char *name,
                        const char *const *options) {
  const int log = open(file_of(name, "log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool started = target_start_logging(target, name, options, log);
  if (log >= 0) {
    close(log);
  }
  return started;
}

bool target_start(struct target_process *target, const char *name, const char *const *options) {
  const char *all[MAX_OPTIONS] = {"--subsystem", INI_SUBSYSTEM};
  for (int i = 0; options != NULL && options[i] != NULL && i < MAX_OPTIONS - 3; i++) {
    all[2 + i] = options[i];
  }
  return target_start_plain(target, name, all);
}

int target_stop(struct target_process *target) {
  int status = -1;
  kill(target->pid, SIGTERM);
  if (waitpid(target->pid, &status, 0) != target->pid) {
    return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

void target_kill(struct target_process *target) {
  kill(target->pid, SIGKILL);
  waitpid(target->pid, NULL, 0);
}

int target_log_count(const struct target_process *target, const char *text) {
  char line[LINE_BYTES];
  int count = 0;
  FILE *file = fopen(target->log, "r");
  if (file == NULL) {
    return 0;
  }
  while (fgets(line, sizeof line, file) != NULL) {
    count += strstr(line, text) != NULL;
  }
  fclose(file);
  return count;
}

bool target_logged(const struct target_process *target, const char *text) {
  return target_logged_again(target, text, 0);
}

bool target_logged_again(const struct target_process *target, const char *text, int before) {
  for (int i = 0; i < TRIES; i++) {
    if (target_log_count(target, text) > before) {
      return true;
    }
    usleep(PAUSE_US);
  }
  fprintf(stderr, "not more than %d times in the log: \"%s\"\n", before, text);
  return false;
}

long target_peak_kib(const struct target_process *target) {
  char path[64], line[256];
  long kib = -1;
  snprintf(path, sizeof path, "/proc/%d/status", (int)target->pid);
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    sscanf(line, "VmHWM: %ld", &kib);
  }
  if (file != NULL) {
    fclose(file);
  }
  return kib;
}

void target_check_growth(const struct target_process *target, long at_start) {
  const long grown = target_peak_kib(target) - at_start;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK_MSG(grown < 40 << 10, "memory grew by %ld KiB", grown);
#endif
  printf("peak memory grew by %ld KiB\n", grown);
}
