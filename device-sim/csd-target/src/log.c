/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 1024, LINES_PER_SECOND = 200 };

static enum tgt_level highest = TGT_INFO;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static time_t second; /* that `lines` and `dropped` are about; all three guarded by lock */
static uint32_t lines;
static uint64_t dropped;

void tgt_log_set_level(enum tgt_level level) { highest = level; }

static void put_line(const char *text, size_t bytes) {
  while (bytes > 0) {
    const ssize_t put = write(STDERR_FILENO, text, bytes);
    if (put <= 0) {
      return; /* nobody reads: the service goes on without a log */
    }
    text += put, bytes -= (size_t)put;
  }
}

/* Whether another line may be written in this second. */
static int admit(time_t now, uint64_t *missing) {
  int admitted;
  pthread_mutex_lock(&lock);
  *missing = 0;
  if (now != second) {
    *missing = dropped;
    second = now, lines = 0, dropped = 0;
  }
  admitted = lines < LINES_PER_SECOND;
  if (admitted) {
    lines++;
  } else {
    dropped++;
  }
  pthread_mutex_unlock(&lock);
  return admitted;
}

static size_t stamp(char *line, time_t now, enum tgt_level level) {
  static const char *const names[] = {"error", "warning", "info", "debug"};
  struct tm parts;
  gmtime_r(&now, &parts);
  const size_t at = strftime(line, LINE_BYTES, "%Y-%m-%dT%H:%M:%SZ ", &parts);
  return at + (size_t)snprintf(line + at, LINE_BYTES - at, "%s: ", names[level]);
}

void tgt_log(enum tgt_level level, const char *format, ...) {
  if (level > highest) {
    return;
  }
  char line[LINE_BYTES];
  const time_t now = time(NULL);
  uint64_t missing;
  const int admitted = admit(now, &missing);
  if (missing > 0) {
    const size_t at = stamp(line, now, TGT_WARNING);
    const int more = snprintf(line + at, LINE_BYTES - at, "%llu log lines were left out\n",
                              (unsigned long long)missing);
    put_line(line, at + (size_t)more);
  }
  if (!admitted) {
    return;
  }
  const size_t start = stamp(line, now, level);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + start, LINE_BYTES - start - 1, format, arguments);
  va_end(arguments);
  size_t end = strlen(line);
  for (size_t i = start; i < end; i++) {
    if (line[i] < 0x20 || line[i] > 0x7E) {
      line[i] = '?';
    }
  }
  line[end++] = '\n';
  put_line(line, end);
}
