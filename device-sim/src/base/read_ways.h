/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The two ways of read_jobs.h. */
#ifndef CSD_READ_WAYS_H
#define CSD_READ_WAYS_H

#include "base/read_jobs.h"

struct csd_read_ring;
struct csd_read_threads;

struct csd_read_ring *csd_read_ring_open(uint32_t most);
void csd_read_ring_close(struct csd_read_ring *ring);
void csd_read_ring_submit(struct csd_read_ring *ring, struct csd_read_job *job);
void csd_read_ring_send(struct csd_read_ring *ring);
struct csd_read_job *csd_read_ring_reap(struct csd_read_ring *ring, bool wait);

struct csd_read_threads *csd_read_threads_open(void);
void csd_read_threads_close(struct csd_read_threads *threads);
void csd_read_threads_submit(struct csd_read_threads *threads, struct csd_read_job *job);
struct csd_read_job *csd_read_threads_reap(struct csd_read_threads *threads, bool wait);

#endif
