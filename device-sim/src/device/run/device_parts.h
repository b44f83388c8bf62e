/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The parts of a device and of its queues. */
#ifndef CSD_DEVICE_PARTS_H
#define CSD_DEVICE_PARTS_H

#include "core/kernels/kernels.h"
#include "core/program/program.h"
#include "csd/csd.h"
#include "device/memory/dram.h"
#include "device/run/task_parts.h"
#include "device/session/resource.h"
#include "device/session/session.h"
#include "device/store/store.h"
#include "timing/timing.h"

/** Counters of one queue. Only the thread inside it adds; any thread may read. */
struct csd_counts {
  struct csd_dram_counts dram;
  _Atomic uint64_t commands, commands_failed, programs;
  _Atomic uint64_t lbas_read, lbas_written, lbas_trimmed, result_bytes;
  _Atomic uint64_t worked_ns, slowed_ns;
};

struct csd_device {
  struct csd_store store;
  struct csd_page_index index;
  struct csd_dram dram;
  struct csd_sessions sessions;
  struct csd_resources resources;
  struct csd_tasks tasks;
  uint64_t dram_bytes;
  uint32_t slow; /* programs take so many times what the processor takes */
  char model[sizeof((struct csd_device_info *)0)->model]; /* the host reads it in device_info */
  const struct csd_kernels *kernels;                      /* the code that programs run on */
  const struct csd_task_program *const *task_programs;
  uint32_t task_program_count;
  struct csd_timing_slot timing; /* the profile; empty if none is set */
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
  uint64_t asks_told;          /* counts.dram.asks at the last csd_queue_has_asked() */
  uint8_t *page;               /* copy of a posting page during its check; CSD_FRAME_BYTES */
  struct csd_written *written; /* what a WRITE has found in its LBAs */
};

#endif
