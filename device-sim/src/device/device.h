/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The parts of a device and of a queue, for the files that make them up. */
#ifndef CSD_DEVICE_H
#define CSD_DEVICE_H

#include "core/kernels/kernels.h"
#include "core/program/program.h"
#include "csd/csd.h"
#include "device/dram.h"
#include "device/resource.h"
#include "device/session.h"
#include "device/store.h"
#include "device/task.h"
#include "timing/timing.h"

/** Counters of one queue. Only the thread inside it adds; any thread may read. */
struct csd_counts {
  struct csd_dram_counts dram;
  _Atomic uint64_t commands, commands_failed, programs;
  _Atomic uint64_t lbas_read, lbas_written, lbas_trimmed, result_bytes;
};

struct csd_device {
  struct csd_store store;
  struct csd_page_index index;
  struct csd_dram dram;
  struct csd_sessions sessions;
  struct csd_resources resources;
  struct csd_tasks tasks;
  uint64_t dram_bytes;
  char model[sizeof((struct csd_device_info *)0)->model]; /* that device_info tells */
  const struct csd_kernels *kernels;                      /* that programs run on */
  struct csd_timing_slot timing;                          /* the profile; empty if none is set */
  atomic_bool closing;
  pthread_mutex_t lock;     /* guards what follows */
  bool closed;              /* the parts above are closed */
  struct csd_queue *queues; /* doubly linked */
  uint16_t next_queue_id;
  uint32_t references;             /* one of the opener, one of each queue */
  struct csd_device_stats retired; /* counters of queues that are gone */
};

/** Resources that a plan may name: live docs and sets of docs. */
enum { CSD_RUN_RESOURCES = CSD_MAX_PLAN_DOC_SETS + 1 };

/** A SUBMIT that has begun. It outlives a csd_queue_poll() whose budget ran out. */
struct csd_run {
  struct csd_session *session; /* NULL: none under way */
  bool of_task;                /* a window of a task, which keeps its session */
  struct csd_program *program;
  struct csd_page_source source;
  struct csd_recorder *recorder; /* the session's; NULL: no profile is set */
  uint32_t resource_count;
  struct csd_resource_slot *resources[CSD_RUN_RESOURCES]; /* acquired */
};

struct csd_queue {
  struct csd_device *device;
  struct csd_queue *next, *previous;
  struct csd_submission *ring;
  uint32_t depth;
  uint16_t id;
  uint64_t head;                 /* commands completed */
  _Atomic uint64_t tail;         /* commands submitted */
  _Atomic uint64_t abort_before; /* SUBMITs with a lower number must end */
  atomic_flag entered;           /* a thread is inside */
  struct csd_run run;
  bool filtering; /* a READ_FILT has begun: its window is in its task's queue */
  struct csd_counts counts;
  uint64_t asks_told;          /* of these, what csd_queue_has_asked has told of */
  uint8_t *page;               /* copy of a posting page during its check; CSD_FRAME_BYTES */
  struct csd_written *written; /* what a WRITE has found in its LBAs */
};

/** Pages that one run of csd_queue_ask() asks for at most, whatever its caller says. */
enum { CSD_MOST_OF_A_RUN = 256 };

/** Asks for pages that a plan to come will read, unless the first one is in device memory. */
void csd_run_ask_ahead(struct csd_queue *queue, uint64_t lba, uint64_t count);

/** The command has not ended, but the budget is used up. */
#define CSD_COMMAND_PENDING 1

/**
 * Begins a command or continues it.
 *
 * @param budget  in postings; lowered by the work done
 * @param dw0     set to dword 0 of the completion
 * @return 0, CSD_COMMAND_PENDING, or a negated status
 */
int csd_command_run(struct csd_queue *queue, const struct csd_submission *command, uint64_t *budget,
                    uint32_t *dw0);

/** Runs SUBMIT as csd_command_run, after the check of the fields. */
int csd_run_submit(struct csd_queue *queue, const struct csd_submission *command, uint64_t *budget,
                   uint32_t *dw0);

/**
 * Runs a window of a task on this queue, which is the caller's alone, to its end.
 *
 * @param plan_bytes  of the plan at the begin of the session's grant
 * @param room        bytes of the session's working memory, the plan included
 * @param cancelled   looked at now and then: ends it with ABORTED
 * @return 0, with the result page in the session, or a negated status
 */
int csd_run_window(struct csd_queue *queue, struct csd_session *session, uint32_t plan_bytes,
                   uint32_t room, const atomic_bool *cancelled);

/** Whether the commands of a queue that wait are to end, and how. @return 0, -CLOSED or -ABORTED */
int csd_run_stopped(const struct csd_queue *queue);

/** Bytes of a plan in a grant: programs begin behind it, aligned. */
uint32_t csd_run_plan_room(uint32_t plan_bytes);

/**
 * Runs READ_IDX, after the check of the fields but the rule and the range.
 *
 * @param dw0  set to the bytes of its data
 */
int csd_read_index(struct csd_queue *queue, const struct csd_submission *command, uint32_t *dw0);

/** Ends the program that runs, if there is one: unpins its pages, releases live docs and session.
 */
void csd_run_end(struct csd_queue *queue);

/** The capabilities of a device. */
struct csd_device_info csd_device_info_of(const struct csd_device *device);

/** Adds the counters of a queue to statistics. */
void csd_counts_add(const struct csd_counts *counts, struct csd_device_stats *stats);

/** Releases one reference to a device; the last one frees it. The caller does not hold its lock. */
void csd_device_release(struct csd_device *device);

#endif
