/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "base/read_jobs.h"

#include <stdlib.h>

#include "base/read_ways.h"

struct csd_read_jobs {
  struct csd_read_ring *ring; /* NULL: threads */
  struct csd_read_threads *threads;
};

struct csd_read_jobs *csd_read_jobs_open(enum csd_read_way way, uint32_t most) {
  struct csd_read_jobs *jobs = calloc(1, sizeof *jobs);
  if (jobs == NULL) {
    return NULL;
  }
  if (way != CSD_READ_THREADS) {
    jobs->ring = csd_read_ring_open(most);
  }
  if (jobs->ring == NULL && way != CSD_READ_RING) {
    jobs->threads = csd_read_threads_open();
  }
  if (jobs->ring == NULL && jobs->threads == NULL) {
    free(jobs);
    return NULL;
  }
  return jobs;
}

void csd_read_jobs_close(struct csd_read_jobs *jobs) {
  if (jobs->ring != NULL) {
    csd_read_ring_close(jobs->ring);
  } else {
    csd_read_threads_close(jobs->threads);
  }
  free(jobs);
}

void csd_read_jobs_submit(struct csd_read_jobs *jobs, struct csd_read_job *job) {
  if (jobs->ring != NULL) {
    csd_read_ring_submit(jobs->ring, job);
  } else {
    csd_read_threads_submit(jobs->threads, job);
  }
}

void csd_read_jobs_send(struct csd_read_jobs *jobs) {
  if (jobs->ring != NULL) {
    csd_read_ring_send(jobs->ring);
  }
}

struct csd_read_job *csd_read_jobs_reap(struct csd_read_jobs *jobs, bool wait) {
  return jobs->ring != NULL ? csd_read_ring_reap(jobs->ring, wait)
                            : csd_read_threads_reap(jobs->threads, wait);
}
