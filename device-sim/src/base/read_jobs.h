/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Reads of a file that nobody waits for: through io_uring where the kernel lets this process have
 * one, by threads elsewhere (old kernels, containers whose seccomp profile refuses it).
 *
 * Threads: csd_read_jobs_submit() and csd_read_jobs_send() by one at a time, csd_read_jobs_reap()
 * by one at a time; one of each may run at the same time.
 */
#ifndef CSD_READ_JOBS_H
#define CSD_READ_JOBS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/** Pieces of memory that one read fills. */
enum { CSD_JOB_PIECES = 16 };

/** A read of bytes that lie together in a file. It stays where it is until it was reaped. */
struct csd_read_job {
  int file;
  uint64_t at;
  int piece_count;
  struct iovec pieces[CSD_JOB_PIECES];
  int64_t result; /* bytes that were read, or a negated errno */
  struct csd_read_job *next;
};

enum csd_read_way {
  CSD_READ_BEST,    /* a ring, else threads */
  CSD_READ_RING,    /* io_uring alone */
  CSD_READ_THREADS, /* threads alone */
};

struct csd_read_jobs;

/**
 * @param most  jobs that are under way at most, a power of 2
 * @return NULL if there is no such way here
 */
struct csd_read_jobs *csd_read_jobs_open(enum csd_read_way way, uint32_t most);

/** No job may be under way. */
void csd_read_jobs_close(struct csd_read_jobs *jobs);

/** Takes a job on. There must be room for it. */
void csd_read_jobs_submit(struct csd_read_jobs *jobs, struct csd_read_job *job);

/** Has the jobs that were taken on begin. */
void csd_read_jobs_send(struct csd_read_jobs *jobs);

/** Returns a job that has ended; NULL if there is none, or none that was to be waited for. */
struct csd_read_job *csd_read_jobs_reap(struct csd_read_jobs *jobs, bool wait);

#endif
