/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Inside the FTL of the model: model_ftl.c and model_ftl_check.c. */
#ifndef CSD_MODEL_FTL_INSIDE_H
#define CSD_MODEL_FTL_INSIDE_H

#include "csd/csd_model_ftl.h"

#define MODEL_FTL_NONE UINT32_MAX

enum model_ftl_state { MODEL_FTL_FREE, MODEL_FTL_OPEN, MODEL_FTL_CLOSED };

struct model_ftl_block {
  uint32_t valid; /* pages */
  uint32_t wear;  /* erases */
  uint32_t state;
};

struct model_ftl_plane {
  uint32_t open;  /* block */
  uint32_t next;  /* page in it */
  uint32_t free;  /* blocks */
  uint32_t valid; /* pages */
  uint32_t collections;
};

struct csd_ftl {
  const struct csd_model_profile *profile;
  uint32_t lba_count;
  uint32_t page_lbas;
  uint32_t pages; /* logical */
  uint32_t planes;
  uint32_t plane_blocks; /* that are used, of each plane */
  uint32_t max_valid;    /* pages of a plane */
  uint32_t turn;         /* of the next write; see plane_in_turn */
  struct csd_ftl_stats stats;
  uint32_t *map;   /* by logical page: used page, or MODEL_FTL_NONE */
  uint32_t *owner; /* by used page: logical page, or MODEL_FTL_NONE */
  struct model_ftl_block *blocks;
  struct model_ftl_plane *plane;
};

/** Finds a block by its plane and its number among the used ones there. */
static inline struct model_ftl_block *model_ftl_block_of(const struct csd_ftl *ftl, uint32_t plane,
                                                         uint32_t block) {
  return &ftl->blocks[plane * ftl->plane_blocks + block];
}

/** Number of a page of a used block. Numbers of used pages have no gaps. */
static inline uint32_t model_ftl_used_page(const struct csd_ftl *ftl, uint32_t plane,
                                           uint32_t block, uint32_t page) {
  return (plane * ftl->plane_blocks + block) * ftl->profile->flash_block_pages + page;
}

#endif
