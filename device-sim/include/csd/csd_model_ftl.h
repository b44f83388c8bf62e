/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The flash translation layer of the model: where LBAs are on the flash, and what flash commands
 * writing takes. It maps whole flash pages; writes go round channels, then ways, dies and planes;
 * garbage is collected plane by plane, the block with the fewest valid pages first; blocks are
 * worn evenly. It moves no data and no time: flash commands go to a log that the player plays.
 *
 * Errors as in csd_model.h. Not safe for use by several threads at once.
 */
#ifndef CSD_MODEL_FTL_H
#define CSD_MODEL_FTL_H

#include "csd/csd_model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct csd_ftl;

struct csd_ftl_stats {
  uint64_t lbas_written;     /**< by the host */
  uint64_t pages_programmed; /**< for the host and for the garbage collection */
  uint64_t pages_copied;     /**< by the garbage collection and the wear levelling */
  uint64_t pages_read;       /**< to be written again with a part replaced */
  uint64_t blocks_erased;
  uint64_t pages_mapped; /**< flash pages with data, now */
  uint32_t min_wear;     /**< erases of the block with the fewest */
  uint32_t max_wear;     /**< erases of the block with the most */
};

/**
 * Bytes of memory for an FTL of `lba_count` LBAs on the flash of a checked profile. Of each plane
 * only so many blocks are used as these LBAs and the profile's share of spare blocks take.
 * INVALID_ARGUMENT: none, or more LBAs than the flash has room for.
 */
int csd_ftl_size(const struct csd_model_profile *profile, uint32_t lba_count, uint64_t *bytes);

/** Makes an empty FTL in `memory` (aligned to 8), which it keeps until the caller takes it back. */
int csd_ftl_init(const struct csd_model_profile *profile, uint32_t lba_count, void *memory,
                 uint64_t bytes, struct csd_ftl **ftl);

/** Physical number of the flash page of an LBA; CSD_MODEL_NOWHERE if it has none. */
uint32_t csd_ftl_find(const struct csd_ftl *ftl, uint32_t lba);

/** The FTL as a place for the player. */
struct csd_model_place csd_ftl_place(struct csd_ftl *ftl);

/**
 * Writes LBAs. A flash page that is written in part, and has data, is read first. Flash commands,
 * those of the garbage collection too, are added to `log` unless that is NULL. OUT_OF_RANGE; or the
 * log's failure, and the LBAs are written all the same.
 */
int csd_ftl_write(struct csd_ftl *ftl, uint32_t lba, uint32_t count, struct csd_model_log *log);

/** Gives up LBAs. Of a flash page that is not trimmed as a whole the data stay. OUT_OF_RANGE. */
int csd_ftl_trim(struct csd_ftl *ftl, uint32_t lba, uint32_t count);

struct csd_ftl_stats csd_ftl_stats(const struct csd_ftl *ftl);

/** Checks every invariant, for tests: INTERNAL says which does not hold. */
int csd_ftl_check(const struct csd_ftl *ftl);

#ifdef __cplusplus
}
#endif

#endif
