/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A profile is shared by holders: the device, and every session whose last program it modelled. So
   a session can report under its profile after the device has another one. */
#include "timing/timing.h"

#include <stdlib.h>
#include <string.h>

#include "base/lazy_memory.h"
#include "base/status.h"
#include "timing/timing_flash.h"

enum { SIDES = CSD_MODEL_SIDE_HOST + 1 };

struct csd_timing {
  uint32_t holders; /* guarded by the slot's lock */
  struct csd_timing_slot *slot;
  struct csd_model_profile profile;
  uint32_t trace_records;
  uint32_t flags; /* of enum csd_model_flag */
  struct csd_timing_flash flash;
};

struct csd_modelled {
  struct csd_recorder recorder;
  struct csd_timing *timing; /* held; NULL: the last program was not recorded */
  bool complete;             /* it came to its end */
  bool has_report[SIDES];
  struct csd_model_report reports[SIDES];
  struct csd_model_trace_record *trace; /* room for trace_room records */
  uint32_t trace_room;
  uint32_t trace_count;
  uint32_t trace_side; /* whose trace it is; 0: none */
};

/* ---- the profile ---- */

static void release(struct csd_timing *timing) {
  if (timing == NULL) {
    return;
  }
  pthread_mutex_lock(&timing->slot->lock);
  const bool last = --timing->holders == 0;
  pthread_mutex_unlock(&timing->slot->lock);
  if (!last) {
    return;
  }
  csd_timing_flash_close(&timing->flash);
  free(timing);
}

/* Acquires the current profile, for its caller to release; NULL if none is set, which costs one
 * load. */
static struct csd_timing *acquire(struct csd_timing_slot *slot) {
  if (atomic_load_explicit(&slot->current, memory_order_relaxed) == NULL) {
    return NULL;
  }
  pthread_mutex_lock(&slot->lock);
  struct csd_timing *timing = atomic_load(&slot->current);
  if (timing != NULL) {
    timing->holders++;
  }
  pthread_mutex_unlock(&slot->lock);
  return timing;
}

static void put(struct csd_timing_slot *slot, struct csd_timing *timing) {
  pthread_mutex_lock(&slot->lock);
  struct csd_timing *before = atomic_exchange(&slot->current, timing);
  pthread_mutex_unlock(&slot->lock);
  release(before);
}

void csd_timing_open(struct csd_timing_slot *slot) {
  pthread_mutex_init(&slot->lock, NULL);
  atomic_init(&slot->current, NULL);
}

void csd_timing_close(struct csd_timing_slot *slot) {
  put(slot, NULL);
  pthread_mutex_destroy(&slot->lock);
}

int csd_timing_set(struct csd_timing_slot *slot, const struct csd_model_profile *profile,
                   uint32_t trace_records, uint32_t flags, uint64_t lba_count,
                   uint64_t stored_lbas) {
  int status = csd_profile_check(profile);
  if (status < 0) {
    return csd_fail_in(status, "MODEL");
  }
  if (trace_records > CSD_TIMING_MAX_TRACE) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "MODEL: %u trace records, not 0 to %u", trace_records,
                    CSD_TIMING_MAX_TRACE);
  }
  struct csd_timing *timing = calloc(1, sizeof *timing);
  if (timing == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "MODEL");
  }
  timing->holders = 1;
  timing->slot = slot;
  timing->profile = *profile;
  timing->trace_records = trace_records;
  timing->flags = flags;
  csd_timing_flash_open(&timing->flash, &timing->profile, lba_count, stored_lbas);
  put(slot, timing);
  return 0;
}

void csd_timing_clear(struct csd_timing_slot *slot) { put(slot, NULL); }

void csd_timing_written(struct csd_timing_slot *slot, uint64_t lba, uint64_t count) {
  struct csd_timing *timing = acquire(slot);
  if (timing == NULL) {
    return;
  }
  csd_timing_flash_written(&timing->flash, lba, count);
  release(timing);
}

void csd_timing_trimmed(struct csd_timing_slot *slot, uint64_t lba, uint64_t count) {
  struct csd_timing *timing = acquire(slot);
  if (timing == NULL) {
    return;
  }
  csd_timing_flash_trimmed(&timing->flash, lba, count);
  release(timing);
}

int csd_timing_writes(struct csd_timing_slot *slot, uint32_t what,
                      struct csd_model_report *report) {
  if (what != CSD_MODEL_DATA_DEVICE_REPORT && what != CSD_MODEL_DATA_HOST_REPORT) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "MODEL_FETCH: of writes there is no data %u", what);
  }
  struct csd_timing *timing = acquire(slot);
  if (timing == NULL) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "MODEL_FETCH: no profile is set");
  }
  const enum csd_model_side side =
      what == CSD_MODEL_DATA_DEVICE_REPORT ? CSD_MODEL_SIDE_DEVICE : CSD_MODEL_SIDE_HOST;
  const int status = csd_timing_flash_report(&timing->flash, side, report);
  release(timing);
  return status == 0 ? 0 : csd_fail_in(status, "MODEL_FETCH");
}

/* ---- records ---- */

static struct csd_modelled *make_modelled(void) {
  struct csd_modelled *made = calloc(1, sizeof *made);
  if (made != NULL && csd_recorder_open(&made->recorder) == 0) {
    return made;
  }
  free(made);
  return NULL;
}

/* Forgets the record of the session's last program. */
static void clear(struct csd_modelled *modelled) {
  release(modelled->timing);
  modelled->timing = NULL;
  modelled->complete = false;
  memset(modelled->has_report, 0, sizeof modelled->has_report);
  modelled->trace_side = 0;
}

struct csd_recorder *csd_timing_start(struct csd_timing_slot *slot, struct csd_modelled **modelled,
                                      const struct csd_page_source *inner, uint32_t plan_bytes) {
  struct csd_timing *timing = acquire(slot);
  if (*modelled != NULL) {
    clear(*modelled);
  }
  if (timing == NULL) {
    return NULL;
  }
  if (*modelled == NULL) {
    *modelled = make_modelled();
  }
  if (*modelled == NULL) {
    release(timing);
    return NULL;
  }
  (*modelled)->timing = timing;
  csd_recorder_start(&(*modelled)->recorder, inner, timing->profile.dram_bytes, plan_bytes);
  return &(*modelled)->recorder;
}

void csd_timing_finish(struct csd_modelled *modelled, const struct csd_result_header *result) {
  const bool unranked = result->mode == CSD_MODE_DOCS || result->mode == CSD_MODE_SCORED_DOCS;
  const bool ranks = (modelled->timing->flags & CSD_MODEL_FLAG_HOST_RANKS) != 0;
  csd_recorder_finish(&modelled->recorder, result->total_bytes,
                      unranked && ranks ? result->entry_count : 0);
  modelled->complete = true;
}

void csd_timing_forget(struct csd_modelled **modelled) {
  struct csd_modelled *forgotten = *modelled;
  if (forgotten == NULL) {
    return;
  }
  *modelled = NULL;
  clear(forgotten);
  csd_lazy_free(forgotten->trace, forgotten->trace_room, sizeof *forgotten->trace);
  csd_recorder_close(&forgotten->recorder);
  free(forgotten);
}

/* ---- reports and traces ---- */

static int check_record(const struct csd_modelled *modelled, uint32_t session) {
  if (modelled == NULL || modelled->timing == NULL || !modelled->complete) {
    return csd_fail(CSD_STATUS_INVALID_FIELD,
                    "MODEL_FETCH: session %u: its last program was not modelled", session);
  }
  const int failure = modelled->recorder.log.failure;
  if (failure < 0) {
    return csd_fail(-failure, "MODEL_FETCH: session %u: no complete record of its last program",
                    session);
  }
  return 0;
}

/* Plays the record of the last program, and keeps its trace if there is room for one. */
static int play(struct csd_modelled *modelled, enum csd_model_side side) {
  struct csd_timing *timing = modelled->timing;
  const struct csd_model_log *log = &modelled->recorder.log;
  struct csd_model_trace trace = {.records = modelled->trace, .room = modelled->trace_room};
  struct csd_model_run run = {.profile = &timing->profile,
                              .side = side,
                              .logs = &log,
                              .count = 1,
                              .reports = &modelled->reports[side],
                              .trace = modelled->trace_room > 0 ? &trace : NULL};
  modelled->trace_side = 0;
  const int status = csd_timing_flash_play(&timing->flash, &run);
  if (status < 0) {
    return csd_fail_in(status, "MODEL_FETCH");
  }
  modelled->has_report[side] = true;
  modelled->trace_side = side;
  modelled->trace_count = trace.count;
  return 0;
}

/* Makes room for as many trace records as the profile was set with. */
static int make_trace_room(struct csd_modelled *modelled) {
  const uint32_t wanted = modelled->timing->trace_records;
  if (modelled->trace_room == wanted) {
    return 0;
  }
  csd_lazy_free(modelled->trace, modelled->trace_room, sizeof *modelled->trace);
  modelled->trace_room = 0;
  modelled->trace = NULL;
  modelled->trace_side = 0;
  memset(modelled->has_report, 0, sizeof modelled->has_report);
  if (wanted == 0) {
    return 0;
  }
  modelled->trace = csd_lazy_alloc(wanted, sizeof *modelled->trace);
  if (modelled->trace == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "MODEL_FETCH: a trace of %u records", wanted);
  }
  modelled->trace_room = wanted;
  return 0;
}

int csd_timing_data(struct csd_modelled *modelled, uint32_t session, uint32_t what,
                    const void **bytes, uint32_t *count) {
  const bool report = what == CSD_MODEL_DATA_DEVICE_REPORT || what == CSD_MODEL_DATA_HOST_REPORT;
  const bool trace = what == CSD_MODEL_DATA_DEVICE_TRACE || what == CSD_MODEL_DATA_HOST_TRACE;
  const enum csd_model_side side =
      what == CSD_MODEL_DATA_DEVICE_REPORT || what == CSD_MODEL_DATA_DEVICE_TRACE
          ? CSD_MODEL_SIDE_DEVICE
          : CSD_MODEL_SIDE_HOST;
  if (!report && !trace && what != CSD_MODEL_DATA_EVENTS) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "MODEL_FETCH: cdw13 is %u", what);
  }
  int status = check_record(modelled, session);
  if (status == 0 && what == CSD_MODEL_DATA_EVENTS) {
    *bytes = modelled->recorder.log.words;
    *count = (uint32_t)(modelled->recorder.log.used * sizeof(uint64_t));
    return 0;
  }
  if (status == 0) {
    status = make_trace_room(modelled);
  }
  if (status == 0 && (trace ? modelled->trace_side != side : !modelled->has_report[side])) {
    status = play(modelled, side);
  }
  if (status < 0) {
    return status;
  }
  *bytes = trace ? (const void *)modelled->trace : &modelled->reports[side];
  *count = trace ? modelled->trace_count * (uint32_t)sizeof *modelled->trace
                 : (uint32_t)sizeof modelled->reports[side];
  return 0;
}
