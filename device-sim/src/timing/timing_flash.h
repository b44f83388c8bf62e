/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The modelled flash under a device's LBAs: where each of them is, and what writing them takes.
 * Until something is written or trimmed it is as if all LBAs had been written once, in their order.
 * Used by several threads at once.
 */
#ifndef CSD_TIMING_FLASH_H
#define CSD_TIMING_FLASH_H

#include <pthread.h>

#include "csd/csd_model_ftl.h"

/** Bytes of the log of what writes do; what does not fit fails the next report of them. */
#define CSD_TIMING_WRITE_LOG_BYTES (UINT64_C(16) << 20)
/** LBAs that can be followed when they are written; their map takes memory then. */
#define CSD_TIMING_FLASH_LBAS (1u << 24)

struct csd_timing_flash {
  pthread_mutex_t lock; /* guards all of it */
  const struct csd_model_profile *profile;
  uint64_t store_lbas;  /* of the device */
  uint64_t stored_lbas; /* up to the end of what it held when the profile was set */
  struct csd_ftl *ftl;  /* NULL: nothing has been written or trimmed yet */
  uint64_t ftl_bytes;
  uint32_t lba_count; /* of the FTL */
  int failure;        /* an LBA or the FTL could not be followed: nothing can be played any more */
  struct csd_model_log log; /* of the writes since the last report of them */
  void *log_memory;
};

/**
 * @param profile      checked; stays
 * @param lba_count    LBAs of the device
 * @param stored_lbas  LBAs up to the end of what it holds now
 */
void csd_timing_flash_open(struct csd_timing_flash *flash, const struct csd_model_profile *profile,
                           uint64_t lba_count, uint64_t stored_lbas);
void csd_timing_flash_close(struct csd_timing_flash *flash);

/** LBAs were written. What cannot be followed shows when something is played. */
void csd_timing_flash_written(struct csd_timing_flash *flash, uint64_t lba, uint64_t count);

/** LBAs were given back. */
void csd_timing_flash_trimmed(struct csd_timing_flash *flash, uint64_t lba, uint64_t count);

/** csd_model_play over this placement; sets run->place. */
int csd_timing_flash_play(struct csd_timing_flash *flash, struct csd_model_run *run);

/**
 * Plays the flash commands of the writes since the profile was set, or since the last report of
 * writes: a report ends with the next write.
 *
 * @return 0, or a negated status: INVALID_FIELD if nothing was written, NO_MEMORY if it was more
 *         than the log has room for; those are then forgotten
 */
int csd_timing_flash_report(struct csd_timing_flash *flash, enum csd_model_side side,
                            struct csd_model_report *report);

#endif
