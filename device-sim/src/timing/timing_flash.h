/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The modelled flash under a device's LBAs: it knows where each of them is and what writing them
 * costs. Until a write or trim, it behaves as if all LBAs had been written once, in their order.
 * Several threads may use it at once.
 */
#ifndef CSD_TIMING_FLASH_H
#define CSD_TIMING_FLASH_H

#include <pthread.h>

#include "csd/csd_model_ftl.h"

/** Bytes of the log of writes. If it overflows, the next report fails. */
#define CSD_TIMING_WRITE_LOG_BYTES (UINT64_C(16) << 20)
/** Limit of the LBAs whose writes can be followed; their map takes memory. */
#define CSD_TIMING_FLASH_LBAS (1u << 24)

struct csd_timing_flash {
  pthread_mutex_t lock; /* guards all of it */
  const struct csd_model_profile *profile;
  uint64_t store_lbas;  /* of the device */
  uint64_t stored_lbas; /* up to the end of what it held when the profile was set */
  struct csd_ftl *ftl;  /* NULL: nothing has been written or trimmed yet */
  uint64_t ftl_bytes;
  uint32_t lba_count; /* of the FTL */
  int failure; /* negated status of a write that could not be followed: plays fail from then on */
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

/** Follows a write. A failure shows when something is played. */
void csd_timing_flash_written(struct csd_timing_flash *flash, uint64_t lba, uint64_t count);

/** Follows a trim. */
void csd_timing_flash_trimmed(struct csd_timing_flash *flash, uint64_t lba, uint64_t count);

/** Runs csd_model_play with the places that this flash gives LBAs; sets run->place meanwhile. */
int csd_timing_flash_play(struct csd_timing_flash *flash, struct csd_model_run *run);

/**
 * Plays the flash commands of the writes since the profile was set, or since the first write after
 * the last report.
 *
 * @return 0, or a negated status: INVALID_FIELD if nothing was written; NO_MEMORY if the log was
 * too small for the writes, which are then forgotten
 */
int csd_timing_flash_report(struct csd_timing_flash *flash, enum csd_model_side side,
                            struct csd_model_report *report);

#endif
