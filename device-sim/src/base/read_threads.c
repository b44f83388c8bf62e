/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/read_ways.h"

enum { THREADS = 16, STACK_BYTES = 256 << 10 };

/* Jobs, the first of which is the next. */
struct job_list {
  struct csd_read_job *first, *last;
};

struct csd_read_threads {
  pthread_mutex_t lock;
  pthread_cond_t work, ends;
  struct job_list waiting, ended;
  bool closing;
  int count;
  pthread_t threads[THREADS];
};

static void add(struct job_list *list, struct csd_read_job *job) {
  job->next = NULL;
  if (list->first == NULL) {
    list->first = job;
  } else {
    list->last->next = job;
  }
  list->last = job;
}

static struct csd_read_job *take(struct job_list *list) {
  struct csd_read_job *job = list->first;
  if (job != NULL) {
    list->first = job->next;
  }
  return job;
}

static void *run(void *argument) {
  struct csd_read_threads *threads = argument;
  pthread_mutex_lock(&threads->lock);
  for (;;) {
    struct csd_read_job *job = take(&threads->waiting);
    if (job != NULL) {
      pthread_mutex_unlock(&threads->lock);
      ssize_t got;
      do {
        got = preadv(job->file, job->pieces, job->piece_count, (off_t)job->at);
      } while (got < 0 && errno == EINTR);
      job->result = got < 0 ? -errno : got;
      pthread_mutex_lock(&threads->lock);
      add(&threads->ended, job);
      pthread_cond_signal(&threads->ends);
    } else if (threads->closing) {
      break;
    } else {
      pthread_cond_wait(&threads->work, &threads->lock);
    }
  }
  pthread_mutex_unlock(&threads->lock);
  return NULL;
}

/* The threads take no signals: these are the application's. */
static void start(struct csd_read_threads *threads) {
  pthread_attr_t attributes;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_init(&attributes);
  (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
  while (threads->count < THREADS &&
         pthread_create(&threads->threads[threads->count], &attributes, run, threads) == 0) {
    threads->count++;
  }
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct csd_read_threads *csd_read_threads_open(void) {
  struct csd_read_threads *threads = calloc(1, sizeof *threads);
  if (threads == NULL) {
    return NULL;
  }
  pthread_mutex_init(&threads->lock, NULL);
  pthread_cond_init(&threads->work, NULL);
  pthread_cond_init(&threads->ends, NULL);
  start(threads);
  if (threads->count == 0) {
    csd_read_threads_close(threads);
    return NULL;
  }
  return threads;
}

void csd_read_threads_close(struct csd_read_threads *threads) {
  pthread_mutex_lock(&threads->lock);
  threads->closing = true;
  pthread_cond_broadcast(&threads->work);
  pthread_mutex_unlock(&threads->lock);
  for (int i = 0; i < threads->count; i++) {
    pthread_join(threads->threads[i], NULL);
  }
  pthread_cond_destroy(&threads->ends);
  pthread_cond_destroy(&threads->work);
  pthread_mutex_destroy(&threads->lock);
  free(threads);
}

void csd_read_threads_submit(struct csd_read_threads *threads, struct csd_read_job *job) {
  pthread_mutex_lock(&threads->lock);
  add(&threads->waiting, job);
  pthread_cond_signal(&threads->work);
  pthread_mutex_unlock(&threads->lock);
}

struct csd_read_job *csd_read_threads_reap(struct csd_read_threads *threads, bool wait) {
  pthread_mutex_lock(&threads->lock);
  struct csd_read_job *job;
  while ((job = take(&threads->ended)) == NULL && wait) {
    pthread_cond_wait(&threads->ends, &threads->lock);
  }
  pthread_mutex_unlock(&threads->lock);
  return job;
}
