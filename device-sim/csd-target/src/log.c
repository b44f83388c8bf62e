/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "log.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 1024, MAX_LINES_PER_SECOND = 200, MAX_QUEUED = 256, STOP_SECONDS = 1 };

struct line {
  uint32_t bytes;
  char text[LINE_BYTES];
};

static enum tgt_level highest = TGT_INFO;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static pthread_cond_t changed;                           /* made by tgt_log_start() */
static struct line queue[MAX_QUEUED];
static uint32_t head, count;
static time_t second; /* that `lines` is about */
static uint32_t lines;
static uint64_t left_out;
static bool threaded, stopping, stopped;
static pthread_t writer;

void tgt_log_set_level(enum tgt_level level) { highest = level; }

/* Waits as long as it takes. A log that is gone is no reason to stop. */
static void write_line(const struct line *line) {
  for (uint32_t at = 0; at < line->bytes;) {
    const ssize_t put = write(STDERR_FILENO, line->text + at, line->bytes - at);
    if (put > 0) {
      at += (uint32_t)put;
    } else if (put < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      struct pollfd file = {.fd = STDERR_FILENO, .events = POLLOUT};
      (void)poll(&file, 1, -1);
    } else if (put == 0 || errno != EINTR) {
      return;
    }
  }
}

/* Writes the first line of the queue; the lock is held, but not while writing. */
static void write_first(struct line *copy) {
  *copy = queue[head];
  head = (head + 1) % MAX_QUEUED;
  count--;
  pthread_mutex_unlock(&lock);
  write_line(copy);
  pthread_mutex_lock(&lock);
}

static void *run_writer(void *nothing) {
  static struct line copy;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (count == 0 && !stopping) {
      pthread_cond_wait(&changed, &lock);
    }
    if (count == 0) {
      break;
    }
    write_first(&copy);
  }
  stopped = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return nothing;
}

bool tgt_log_start(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&changed, &attributes);
  pthread_condattr_destroy(&attributes);
  threaded = pthread_create(&writer, NULL, run_writer, NULL) == 0;
  return threaded;
}

void tgt_log_stop(void) {
  struct timespec end;
  int status = 0;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += STOP_SECONDS;
  pthread_mutex_lock(&lock);
  stopping = true;
  pthread_cond_broadcast(&changed);
  while (threaded && !stopped && status == 0) {
    status = pthread_cond_timedwait(&changed, &lock, &end);
  }
  const bool ended = threaded && stopped;
  pthread_mutex_unlock(&lock);
  if (ended) {
    pthread_join(writer, NULL);
  }
}

static uint32_t put_stamp(char *text, time_t now, enum tgt_level level) {
  static const char *const names[] = {"error", "warning", "info", "debug"};
  struct tm parts;
  gmtime_r(&now, &parts);
  const size_t at = strftime(text, LINE_BYTES, "%Y-%m-%dT%H:%M:%SZ ", &parts);
  return (uint32_t)(at + (size_t)snprintf(text + at, LINE_BYTES - at, "%s: ", names[level]));
}

/* A place at the end of the queue; there must be one. */
static struct line *push(void) { return &queue[(head + count++) % MAX_QUEUED]; }

/* Says how many lines are missing here. */
static void push_left_out(time_t now) {
  struct line *line = push();
  const uint32_t at = put_stamp(line->text, now, TGT_WARNING);
  line->bytes =
      at + (uint32_t)snprintf(line->text + at, LINE_BYTES - at, "%llu log lines were left out\n",
                              (unsigned long long)left_out);
  left_out = 0;
}

static bool may_be_written(time_t now) {
  if (now != second) {
    second = now;
    lines = 0;
  }
  const uint32_t needed = left_out > 0 ? 2 : 1;
  return lines < MAX_LINES_PER_SECOND && count + needed <= MAX_QUEUED;
}

static void finish(struct line *line, uint32_t start) {
  line->bytes = (uint32_t)strlen(line->text);
  for (uint32_t i = start; i < line->bytes; i++) {
    if (line->text[i] < 0x20 || line->text[i] > 0x7E) {
      line->text[i] = '?';
    }
  }
  line->text[line->bytes++] = '\n';
}

void tgt_log(enum tgt_level level, const char *format, ...) {
  if (level > highest) {
    return;
  }
  const time_t now = time(NULL);
  pthread_mutex_lock(&lock);
  if (may_be_written(now)) {
    if (left_out > 0) {
      push_left_out(now);
    }
    struct line *line = push();
    const uint32_t start = put_stamp(line->text, now, level);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line->text + start, LINE_BYTES - start - 1, format, arguments);
    va_end(arguments);
    finish(line, start);
    lines++;
  } else {
    left_out++;
  }
  struct line copy;
  while (!threaded && count > 0) {
    write_first(&copy);
  }
  if (threaded) {
    pthread_cond_signal(&changed);
  }
  pthread_mutex_unlock(&lock);
}
