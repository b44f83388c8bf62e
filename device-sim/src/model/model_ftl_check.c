/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Statistics of the FTL, and a check that its tables agree with one another. */
#include "base/status.h"
#include "model/model_ftl.h"

struct csd_ftl_stats csd_ftl_stats(const struct csd_ftl *ftl) {
  struct csd_ftl_stats stats = ftl->stats;
  const uint32_t count = ftl->planes * ftl->plane_blocks;
  stats.min_wear = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++) {
    if (ftl->blocks[i].wear < stats.min_wear) {
      stats.min_wear = ftl->blocks[i].wear;
    }
    if (ftl->blocks[i].wear > stats.max_wear) {
      stats.max_wear = ftl->blocks[i].wear;
    }
  }
  return stats;
}

static int broken(const char *what, uint32_t where) {
  return csd_fail(CSD_STATUS_INTERNAL, "FTL: %s %u", what, where);
}

static int check_plane(const struct csd_ftl *ftl, uint32_t plane) {
  const uint32_t block_pages = ftl->profile->flash_block_pages;
  const struct model_ftl_plane *p = &ftl->plane[plane];
  uint32_t free = 0, open = 0, valid = 0;
  for (uint32_t b = 0; b < ftl->plane_blocks; b++) {
    const struct model_ftl_block *block = model_ftl_block_of(ftl, plane, b);
    uint32_t owned = 0;
    for (uint32_t i = 0; i < block_pages; i++) {
      const uint32_t used = model_ftl_used_page(ftl, plane, b, i);
      if (ftl->owner[used] == MODEL_FTL_NONE) {
        continue;
      }
      if (ftl->map[ftl->owner[used]] != used) {
        return broken("a page is not its owner's:", used);
      }
      if (b == p->open && i >= p->next) {
        return broken("an unwritten page has an owner:", used);
      }
      owned++;
    }
    if (owned != block->valid) {
      return broken("wrong count of valid pages in block", b);
    }
    if (block->state == MODEL_FTL_FREE && owned != 0) {
      return broken("valid pages in free block", b);
    }
    free += block->state == MODEL_FTL_FREE;
    open += block->state == MODEL_FTL_OPEN;
    valid += owned;
  }
  if (free != p->free || open != 1) {
    return broken("wrong count of free blocks in plane", plane);
  }
  if (free < ftl->profile->flash_gc_blocks) {
    return broken("too few free blocks in plane", plane);
  }
  if (valid != p->valid || valid > ftl->max_valid) {
    return broken("too full is plane", plane);
  }
  return 0;
}

int csd_ftl_check(const struct csd_ftl *ftl) {
  uint64_t mapped = 0;
  uint64_t valid = 0;
  for (uint32_t i = 0; i < ftl->pages; i++) {
    if (ftl->map[i] == MODEL_FTL_NONE) {
      continue;
    }
    if (ftl->owner[ftl->map[i]] != i) {
      return broken("page of another logical page than", i);
    }
    mapped++;
  }
  for (uint32_t i = 0; i < ftl->planes; i++) {
    const int status = check_plane(ftl, i);
    if (status < 0) {
      return status;
    }
    valid += ftl->plane[i].valid;
  }
  if (mapped != valid || mapped != ftl->stats.pages_mapped) {
    return broken("wrong count of mapped pages:", (uint32_t)mapped);
  }
  return 0;
}
