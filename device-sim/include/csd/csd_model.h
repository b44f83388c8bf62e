/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The timing and energy model: what a request would take on a device, or on a host with the same
 * device used as a plain drive. Answers are computed elsewhere; a recorder writes down what a
 * request did (csd_model_log), and the player turns that into simulated time and energy under a
 * profile (struct csd_model_profile of the wire). Simulated time is in picoseconds, energy in
 * picojoules, all arithmetic in integers; nothing here reads a clock, and the same input gives the
 * same bytes.
 *
 * Functions return 0, or a count, on success and a negated csd_status on failure; csd_last_error()
 * then says what and where.
 */
#ifndef CSD_MODEL_H
#define CSD_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csd/csd_wire.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most requests that are played together. */
#define CSD_MODEL_MAX_LOGS 4096u
/** Longest simulated time; what takes longer is refused. About ten hours. */
#define CSD_MODEL_MAX_PS (UINT64_C(1) << 55)

/**
 * Checks a profile. UNSUPPORTED_VERSION; INVALID_ARGUMENT names the field, its value and the
 * values that it may have.
 */
int csd_profile_check(const struct csd_model_profile *profile);

/* ---- the log ---- */

/** What a request did. */
enum csd_model_event_kind {
  CSD_MODEL_LOAD,       /**< needs `bytes` bytes from LBA `address` on, and waits for them */
  CSD_MODEL_READ_AHEAD, /**< will need them: reads them without waiting, if the profile allows */
  CSD_MODEL_SEND,       /**< hands `bytes` of results to the host; nothing on the host's side */
  CSD_MODEL_RANK,       /**< the host ranks `bytes` results: a count, not bytes; on either side */
  /* Flash commands of the FTL. `address` is the physical number of a flash page; of an ERASE, that
   * of a flash block. The request waits for them when it ends. */
  CSD_MODEL_FLASH_READ,
  CSD_MODEL_FLASH_PROGRAM,
  CSD_MODEL_FLASH_ERASE,
  /** Asks the device for something that needs no data on the host: a command, the read of `bytes`
   * bytes from LBA `address` on inside the device (0: none), and the answer. The request waits. */
  CSD_MODEL_ASK,
  /** A page that either side can process, see csd_model_split: `bytes` bytes from LBA `address` on.
   * Its work is not what was done before, but what the page asks for. Tasks that follow each other
   * are under way at once; what follows them waits for all of them. With 0 bytes it is a command
   * for which the device reads no page. */
  CSD_MODEL_TASK,
  /** Belongs to the TASK before: `bytes` that a device which did it hands to the host, and the
   * work that the host does with these, or with the page if that came as it was. */
  CSD_MODEL_TASK_REST,
  CSD_MODEL_END, /**< the program is at its end */
};

/** An event as it is read from a log. */
struct csd_model_event {
  enum csd_model_event_kind kind;
  uint32_t address;     /**< LBA, or physical number; 0 for SEND, RANK, END */
  uint64_t bytes;       /**< see csd_model_event_kind; flash commands: 0 */
  uint32_t work_count;  /**< kinds of work done since the event before */
  const uint64_t *work; /**< csd_model_work_kind and csd_model_work_units take one of them apart */
};

/**
 * A recording. Set up by csd_model_log_init; the fields are for reading. Not safe for use by
 * several threads at once.
 */
struct csd_model_log {
  uint64_t *words;                                          /**< events, packed */
  size_t used;                                              /**< words */
  size_t room;                                              /**< words */
  void *(*grow)(void *context, void *memory, size_t bytes); /**< or NULL: bounded */
  void *context;
  uint64_t opened_bytes; /**< what the host sends to open the session: metadata, plan */
  uint64_t events;       /**< number of events */
  bool bare;   /**< no session: neither opening nor fixed times, and sends are not fetched */
  bool ended;  /**< END was added */
  int failure; /**< first failure of an add, negated; such a log cannot be played */
};

/**
 * Sets up an empty log. With `grow` NULL the log lives in `memory` (aligned to 8, kept by the
 * caller) and never grows. With `grow`, as realloc with a context, it grows when it must; `memory`
 * is then NULL, and csd_model_log_free returns what it took.
 */
void csd_model_log_init(struct csd_model_log *log, void *memory, size_t bytes,
                        void *(*grow)(void *context, void *memory, size_t bytes), void *context);

/** A `grow` that is realloc and free; the context is not used. */
void *csd_model_grow(void *context, void *memory, size_t bytes);

/** Calls grow(context, words, 0), which frees; the log is then empty. Nothing if bounded. */
void csd_model_log_free(struct csd_model_log *log);

/** Makes the log empty, keeps its memory, and clears its failure. */
void csd_model_log_clear(struct csd_model_log *log);

/**
 * Adds an event. `work` gives, by enum csd_model_work, what was done since the event before; NULL:
 * nothing. NO_MEMORY: the log is full; it stays failed, later adds return the same. END may be
 * added once, as the last.
 */
int csd_model_log_add(struct csd_model_log *log, enum csd_model_event_kind kind, uint32_t address,
                      uint64_t bytes, const uint64_t work[CSD_MODEL_WORK_SLOTS]);

/** Reads the event at *at (0 is the first) and steps over it; false at the end. */
bool csd_model_log_next(const struct csd_model_log *log, size_t *at, struct csd_model_event *event);

static inline enum csd_model_work csd_model_work_kind(uint64_t word) {
  return (enum csd_model_work)(word >> 56);
}

static inline uint64_t csd_model_work_units(uint64_t word) {
  return word & ((UINT64_C(1) << 56) - 1);
}

/* ---- the player ---- */

/** What csd_model_striped and a place give for an LBA that is nowhere. */
#define CSD_MODEL_NOWHERE UINT32_MAX

/** Where LBAs are. */
struct csd_model_place {
  /** Physical number of the flash page that holds an LBA, or CSD_MODEL_NOWHERE: never written. */
  uint32_t (*find)(void *context, uint32_t lba);
  void *context;
};

/**
 * Physical number of an LBA's flash page if the device had been written in order, from empty:
 * flash pages go round the channels, then ways, dies, planes. CSD_MODEL_NOWHERE: the device is
 * smaller. A physical number is (plane * flash_plane_blocks + block) * flash_block_pages + page,
 * with planes numbered as in enum csd_model_resource.
 */
uint32_t csd_model_striped(const struct csd_model_profile *profile, uint32_t lba);

/** Trace records, in no particular order. */
struct csd_model_trace {
  struct csd_model_trace_record *records;
  uint32_t room;
  uint32_t count; /**< set by the player */
  uint32_t lost;  /**< set by the player: records without room */
};

/** How sessions share the device, beyond what a profile says. */
struct csd_model_runtime {
  uint32_t quantum_pages; /**< loads after which a program that need not wait gives its core to one
                             that waits for it; 0: it keeps the core */
  uint32_t memory_pages;  /**< pages that all sessions together may be granted; 0: no limit */
  uint32_t session_pages; /**< with memory_pages: granted to a session when it opens, which waits
                             until they are free; it never holds more loaded pages than that */
  uint32_t sram_bytes;    /**< of SRAM, that all sessions together may be granted; 0: no limit */
  uint32_t session_sram_bytes; /**< with sram_bytes: granted to a session beside its pages, for
                                  schema and state */
  /** The host polls a session after poll_min_ps. After each poll in vain it waits twice as long,
   * at most poll_max_ps, after one that found results half as long. 0: always link_poll_ns. */
  uint64_t poll_min_ps, poll_max_ps;
};

/**
 * How tasks are divided between device and host. The host asks for every page, as many at once as
 * link_queue_depth allows each request. It marks some for the device. There a marked page takes a
 * place in the task queue, which is the code of the device itself: its cores work it off in order,
 * requests in turn. A page that is not marked goes to the host as it is. The host works on what
 * comes on one core for each request.
 */
struct csd_model_split {
  uint32_t slots;      /**< places of the task queue, for pages that wait for a core */
  uint32_t marked_ppm; /**< share of the tasks that the host marks, evenly spread, per million */
  bool dynamic; /**< a marked page that finds the queue full goes to the host as it is; else it
                   waits for a place */
  bool apart;   /**< the host begins its work when the last page has come; else with the first */
};

/** How tasks were divided. */
struct csd_model_split_counts {
  uint64_t marked;    /**< tasks that the host marked */
  uint64_t processed; /**< of these, tasks that the device did */
  uint64_t full;      /**< marked tasks that found the queue full */
  uint64_t raw;       /**< pages that went to the host as they were */
};

/** Requests to play, and what is wanted of it. */
struct csd_model_run {
  const struct csd_model_profile *profile;
  enum csd_model_side side;
  const struct csd_model_place *place;     /**< or NULL: csd_model_striped */
  uint32_t count;                          /**< requests, 1 to CSD_MODEL_MAX_LOGS */
  const struct csd_model_log *const *logs; /**< of each request; one log may stand several times */
  const uint64_t *arrivals_ps;             /**< of each request, or NULL: all at 0 */
  const uint32_t *first_lbas; /**< added to the LBAs of each request's log, or NULL: nothing */
  const struct csd_model_runtime *runtime;     /**< or NULL: no sharing but of resources */
  const struct csd_model_split *split;         /**< how tasks are divided; NULL: the logs have none.
                                                  Tasks are played on the device's side */
  struct csd_model_split_counts *split_counts; /**< of all requests together, or NULL */
  struct csd_model_report *reports;            /**< of each request, or NULL */
  struct csd_model_report *total;              /**< of all together, or NULL */
  struct csd_model_trace *trace;               /**< or NULL */
};

/**
 * Plays requests that contend for the same resources. Busy times of a unit never exceed the
 * elapsed time, the parts of a request add up to its elapsed time. In the reports of several
 * requests busiest_ps is zero, and each carries the idle energy of its own elapsed time; the total
 * has the idle energy of the time from the first arrival to the last finish. Resources serve in the
 * order in which they are asked, so a better device can be slower for requests that contend, as
 * with every list scheduling; for a single request that does not read ahead it never is.
 *
 * INVALID_ARGUMENT: profile, side, count, runtime, split, a log without an end or with an event
 * that the device cannot do, or a simulated time beyond CSD_MODEL_MAX_PS. OUT_OF_RANGE: a place
 * outside the flash. NO_MEMORY. Memory is allocated for the time of the call.
 */
int csd_model_play(const struct csd_model_run *run);

#ifdef __cplusplus
}
#endif

#endif
