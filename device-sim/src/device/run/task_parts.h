/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A task, and what the tasks of a device share (task.h). */
#ifndef CSD_TASK_PARTS_H
#define CSD_TASK_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "csd/csd.h"
#include "device/gather/gather.h"
#include "task/task_line.h"

/** Most threads that run windows. */
#define CSD_MAX_TASK_THREADS 64u
/** Most windows of a session that may wait. */
#define CSD_MAX_TASK_WINDOWS 64u
/** Conditions that the sessions share, so that the end of a window wakes whom it concerns. */
#define CSD_TASK_CONDITIONS 16u
/** Windows of a session that may wait if INIT_TSK does not say. */
#define CSD_DEFAULT_TASK_WINDOWS 2u

/** A task of a session. All but what its worker uses is guarded by the lock of csd_tasks. */
struct csd_task {
  uint8_t mode;                                         /* csd_task_mode */
  struct csd_task_ring ring;                            /* windows that wait; one runs at once */
  struct csd_task_window windows[CSD_MAX_TASK_WINDOWS]; /* of the ring */
  uint32_t next_doc;                                    /* windows begin here or above */
  bool reading;                                         /* a FETCH copies the result page */
  bool over;         /* a window failed or found no room: it, and what is behind it, is not done */
  int status;        /* of the window that failed */
  uint32_t filtered; /* READ_FILT: bytes of the result page */
  atomic_bool cancelled;
  uint32_t room;                          /* bytes of the grant for plan and program */
  struct csd_gather gather;               /* the worker's while running */
  const struct csd_task_program *program; /* what runs in the plan's place; NULL: the plan */
  struct csd_recorder *recorder;          /* of the program; NULL: no profile is set */
};

struct csd_tasks {
  pthread_mutex_t lock;
  pthread_cond_t work;                      /* there are windows, or the device closes */
  pthread_cond_t room;                      /* fewer windows wait */
  pthread_cond_t done[CSD_TASK_CONDITIONS]; /* a window of a session has ended, by session number */
  struct csd_task_line line;                /* windows of all sessions that wait */
  uint32_t wait_for_room;                   /* commands that wait until these are fewer */
  uint32_t thread_limit;
  uint32_t thread_count; /* started; the first task starts all */
  pthread_t threads[CSD_MAX_TASK_THREADS];
  bool closing;
  struct csd_task_stats stats;
};

#endif
