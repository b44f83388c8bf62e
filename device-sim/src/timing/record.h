/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A recorder stands between a program and the device. It passes every call on and records what the
 * program does, for the timing model. It exists only while a profile is set.
 *
 * Each program starts with an empty device memory. The first pin of a posting page is a LOAD. Later
 * pins are not, until other pages have filled the profile's DRAM. All counts are of what the
 * program asked for. So they depend neither on the kernels in use nor on what the simulator has in
 * memory.
 */
#ifndef CSD_RECORD_H
#define CSD_RECORD_H

#include "core/lists/list_cursor.h"
#include "core/lists/page_source.h"
#include "csd/csd_model.h"
#include "timing/record_kernels.h"
#include "timing/record_pages.h"

/** Bytes of a recorder's log, and how many posting pages it can tell apart. Touched as they fill.
 */
#define CSD_RECORD_LOG_BYTES (UINT64_C(16) << 20)
#define CSD_RECORD_PAGES (1u << 18)

struct csd_recorder {
  struct csd_page_source source; /* what the program gets */
  const struct csd_page_source *inner;
  struct csd_kernels kernels;
  struct csd_tally tally;
  const struct csd_work *work; /* the program's; NULL before it has begun */
  uint64_t dram_pages;         /* pages that the profile's DRAM holds */
  uint64_t pins;
  uint64_t loads;
  uint64_t looks;                      /* look-ups in the page index */
  bool in_order;                       /* the page pinned last had been prefetched */
  uint64_t told[CSD_MODEL_WORK_SLOTS]; /* work that the events so far contain */
  struct csd_page_marks pages;
  struct csd_model_log log;
  void *log_memory;
};

/** Makes a recorder. @return 0, or -NO_MEMORY */
int csd_recorder_open(struct csd_recorder *recorder);
void csd_recorder_close(struct csd_recorder *recorder);

/**
 * Starts the record of a program.
 *
 * @param inner       what the program would get without a recorder; with kernels; kept
 * @param dram_bytes  device memory for its pages
 * @param plan_bytes  bytes that the host sent for it
 */
void csd_recorder_start(struct csd_recorder *recorder, const struct csd_page_source *inner,
                        uint64_t dram_bytes, uint32_t plan_bytes);

/** Tells the recorder where the program counts its work. */
void csd_recorder_watch(struct csd_recorder *recorder, const struct csd_work *work);

/** Enclose every call of the program: between them its kernels count for this recorder. */
void csd_recorder_enter(struct csd_recorder *recorder);
void csd_recorder_leave(void);

/**
 * Adds a window of a task's program as a task that either side could do.
 *
 * @param bytes     that it has read from `lba` on
 * @param work      that it has done
 * @param filtered  bytes that it leaves for the host; -1: it has done all
 */
void csd_recorder_task(struct csd_recorder *recorder, uint64_t lba, uint64_t bytes,
                       const uint64_t work[CSD_MODEL_WORK_SLOTS], int filtered);

/**
 * Ends the record of a program.
 *
 * @param result_bytes  of the result page, which goes to the host
 * @param ranked        number of results that the host ranks afterwards
 */
void csd_recorder_finish(struct csd_recorder *recorder, uint32_t result_bytes, uint32_t ranked);

#endif
