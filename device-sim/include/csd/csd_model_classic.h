/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Recordings of the classic programs (csd_classic.h) and of plain reads, for the player of
 * csd_model.h. Errors as there.
 */
#ifndef CSD_MODEL_CLASSIC_H
#define CSD_MODEL_CLASSIC_H

#include "csd/csd_classic.h"
#include "csd/csd_model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that opening a session sends for each list: offset, length, count. */
#define CSD_MODEL_CLASSIC_METADATA_BYTES 24u

/** Most entries of a synthetic workload that is recorded: 2 GB, and as much again while it runs. */
#define CSD_MODEL_CLASSIC_MAX_ENTRIES (UINT64_C(1) << 26)

/** Writes down what a classic program does. */
struct csd_model_classic {
  struct csd_model_log *log;
  uint32_t first_lba[CSD_CLASSIC_MAX_LISTS]; /**< lists stand back to back, from LBA 0 on */
  struct csd_classic_counts before;          /**< as of the last event */
  uint64_t pages_opened;                     /**< since the last event */
};

/** Begins a recording of `request` in an empty log. */
void csd_model_classic_begin(struct csd_model_classic *recorder,
                             const struct csd_classic_request *request, struct csd_model_log *log);

/** A csd_classic_device's `event`; its context is the recorder. */
void csd_model_classic_event(void *recorder, const struct csd_classic_event *event);

/**
 * Ends a recording: `counts` are those of the whole run. `ranked` results, 0 for none, are ranked
 * by the host at the end. Returns the log's failure.
 */
int csd_model_classic_end(struct csd_model_classic *recorder,
                          const struct csd_classic_counts *counts, uint64_t ranked);

/** One request as it runs on the device, and on a host. */
struct csd_model_classic_pair {
  struct csd_model_log device, host;
  uint32_t lbas; /**< that the lists take */
  struct csd_classic_counts device_counts, host_counts;
};

/**
 * Runs and records a request on both sides. The device has `memory_bytes` of DRAM (0: what it takes
 * to hold everything) and sends its results, 16 bytes each. The host holds everything, runs the
 * request unranked and sends nothing. What the device does not rank is ranked by the host, on both
 * sides, if `host_ranks`; a ranked request is ranked by the host's own programs on its side, so
 * there the host ranks in any case. Memory is malloc's; csd_model_classic_free returns it, after a
 * failure too. Errors are those of csd_classic_run.
 */
int csd_model_classic_record(const struct csd_classic_request *request, uint64_t memory_bytes,
                             bool host_ranks, struct csd_model_classic_pair *pair);

/**
 * csd_model_classic_record of a synthetic workload. With `swapped` the first two lists change
 * places, so that a difference has its longer list first. INVALID_ARGUMENT also for more than
 * CSD_MODEL_CLASSIC_MAX_ENTRIES.
 */
int csd_model_classic_record_workload(const struct csd_classic_workload *workload,
                                      enum csd_classic_operation operation, bool ranked,
                                      bool swapped, uint64_t memory_bytes, bool host_ranks,
                                      struct csd_model_classic_pair *pair);

void csd_model_classic_free(struct csd_model_classic_pair *pair);

/** Runs a request on both sides and plays it: reports of the device and of the host. */
int csd_model_run_classic(const struct csd_classic_request *request, uint64_t memory_bytes,
                          bool host_ranks, const struct csd_model_profile *profile,
                          struct csd_model_report *device, struct csd_model_report *host);

/** Plain reads, `depth` of them at a time, as a benchmark of drives issues them. */
struct csd_model_reads {
  uint32_t count; /**< reads, 1 to 2^24 */
  uint32_t bytes; /**< of each: a multiple of CSD_LBA_BYTES, at most 1 MB */
  uint32_t depth; /**< under way at once, 1 to CSD_MODEL_MAX_LOGS */
  bool random;    /**< else in order, from LBA 0 */
  uint32_t lbas;  /**< random: reads lie in this many LBAs, from LBA 0 */
  uint64_t seed;  /**< random: of the LBAs */
};

/**
 * Plays plain reads on a side: on the host as a drive's user sees them, on the device as a program
 * does. Bandwidth is total->bytes_read over total->elapsed_ps, mean latency the sum of
 * total->part_ps over total->page_loads. INVALID_ARGUMENT names what is wrong.
 */
int csd_model_play_reads(const struct csd_model_profile *profile, enum csd_model_side side,
                         const struct csd_model_reads *reads, struct csd_model_report *total,
                         struct csd_model_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
