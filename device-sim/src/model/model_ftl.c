/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Blocks and pages are those of the flash here. A plane fills one open block page by page, and
 * always has at least flash_gc_blocks free blocks. Its valid pages never exceed what all but
 * flash_gc_blocks + 1 of its blocks hold. So when it must collect, its closed blocks contain an
 * invalid page, each collection gains a page at least, and the space never runs out. Writes pass
 * over a plane that is full in this sense. Another plane then has room, since all together hold the
 * logical capacity.
 */
#include "model/model_ftl.h"

#include <string.h>

#include "base/status.h"

enum {
  LEVEL_EVERY = 32,  /* collections of a plane between two rounds of wear levelling */
  LEVEL_SPREAD = 16, /* difference of erases in a plane that needs no levelling */
};

/* ---- size ---- */

struct shape {
  uint32_t pages, planes, plane_blocks, max_valid;
};

static int measure(const struct csd_model_profile *p, uint32_t lba_count, struct shape *shape) {
  const uint32_t page_lbas = p->flash_page_bytes / CSD_LBA_BYTES;
  const uint32_t planes = p->flash_channels * p->flash_ways * p->flash_dies * p->flash_planes;
  const uint32_t reserve = p->flash_gc_blocks + 1;
  const uint64_t pages = ((uint64_t)lba_count + page_lbas - 1) / page_lbas;
  const uint64_t a_plane = (pages + planes - 1) / planes;
  const uint64_t full = (a_plane + p->flash_block_pages - 1) / p->flash_block_pages;
  /* spare_ppm of all blocks are spare, and at least what the collection needs */
  uint64_t blocks = (full * 1000000 + 999999 - p->flash_spare_ppm) / (1000000 - p->flash_spare_ppm);
  if (blocks < full + reserve) {
    blocks = full + reserve;
  }
  if (lba_count == 0 || blocks > p->flash_plane_blocks) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                    "FTL: %u LBAs take %llu blocks of each plane, flash_plane_blocks is %u",
                    lba_count, (unsigned long long)blocks, p->flash_plane_blocks);
  }
  *shape = (struct shape){.pages = (uint32_t)pages,
                          .planes = planes,
                          .plane_blocks = (uint32_t)blocks,
                          .max_valid = (uint32_t)(blocks - reserve) * p->flash_block_pages};
  return 0;
}

static uint64_t round_up(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

static uint64_t map_bytes(const struct shape *shape) {
  return round_up(shape->pages * sizeof(uint32_t));
}

static uint64_t owner_bytes(const struct csd_model_profile *p, const struct shape *shape) {
  return round_up((uint64_t)shape->planes * shape->plane_blocks * p->flash_block_pages *
                  sizeof(uint32_t));
}

static uint64_t block_bytes(const struct shape *shape) {
  return round_up((uint64_t)shape->planes * shape->plane_blocks * sizeof(struct model_ftl_block));
}

int csd_ftl_size(const struct csd_model_profile *profile, uint32_t lba_count, uint64_t *bytes) {
  struct shape shape;
  const int status = measure(profile, lba_count, &shape);
  if (status < 0) {
    return status;
  }
  *bytes = round_up(sizeof(struct csd_ftl)) + map_bytes(&shape) + owner_bytes(profile, &shape) +
           block_bytes(&shape) + shape.planes * sizeof(struct model_ftl_plane);
  return 0;
}

int csd_ftl_init(const struct csd_model_profile *profile, uint32_t lba_count, void *memory,
                 uint64_t bytes, struct csd_ftl **ftl) {
  struct shape shape;
  uint64_t needed = 0;
  int status = csd_ftl_size(profile, lba_count, &needed);
  if (status == 0) {
    status = measure(profile, lba_count, &shape);
  }
  if (status < 0) {
    return status;
  }
  if (memory == NULL || bytes < needed) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "FTL: %llu bytes, %llu are needed",
                    (unsigned long long)bytes, (unsigned long long)needed);
  }
  uint8_t *at = memory;
  struct csd_ftl *f = memory;
  *f = (struct csd_ftl){.profile = profile,
                        .lba_count = lba_count,
                        .page_lbas = profile->flash_page_bytes / CSD_LBA_BYTES,
                        .pages = shape.pages,
                        .planes = shape.planes,
                        .plane_blocks = shape.plane_blocks,
                        .max_valid = shape.max_valid};
  at += round_up(sizeof *f);
  f->map = (uint32_t *)(void *)at;
  memset(f->map, 0xFF, map_bytes(&shape));
  at += map_bytes(&shape);
  f->owner = (uint32_t *)(void *)at;
  memset(f->owner, 0xFF, owner_bytes(profile, &shape));
  at += owner_bytes(profile, &shape);
  f->blocks = (struct model_ftl_block *)(void *)at;
  memset(f->blocks, 0, block_bytes(&shape));
  at += block_bytes(&shape);
  f->plane = (struct model_ftl_plane *)(void *)at;
  for (uint32_t i = 0; i < f->planes; i++) {
    f->plane[i] = (struct model_ftl_plane){.free = f->plane_blocks - 1};
    f->blocks[i * f->plane_blocks].state = MODEL_FTL_OPEN;
  }
  *ftl = f;
  return 0;
}

/* ---- places ---- */

/* Numbers of blocks and pages as the device counts them: unused blocks count, too. */
static uint32_t physical_block(const struct csd_ftl *ftl, uint32_t plane, uint32_t block) {
  return plane * ftl->profile->flash_plane_blocks + block;
}

static uint32_t physical_page(const struct csd_ftl *ftl, uint32_t used) {
  const uint32_t block_pages = ftl->profile->flash_block_pages;
  const uint32_t block = used / block_pages;
  return physical_block(ftl, block / ftl->plane_blocks, block % ftl->plane_blocks) * block_pages +
         used % block_pages;
}

/* Returns the plane of a turn: channels vary first, then ways, dies, planes. */
static uint32_t plane_in_turn(const struct csd_ftl *ftl, uint32_t turn) {
  const struct csd_model_profile *p = ftl->profile;
  const uint32_t channel = turn % p->flash_channels;
  uint32_t left = turn / p->flash_channels;
  const uint32_t way = left % p->flash_ways;
  left /= p->flash_ways;
  const uint32_t die = left % p->flash_dies;
  left /= p->flash_dies;
  return ((channel * p->flash_ways + way) * p->flash_dies + die) * p->flash_planes + left;
}

static void add(struct csd_model_log *log, enum csd_model_event_kind kind, uint32_t number) {
  if (log != NULL) {
    (void)csd_model_log_add(log, kind, number, 0, NULL); /* the log remembers */
  }
}

/* ---- writing ---- */

static void invalidate(struct csd_ftl *ftl, uint32_t logical) {
  const uint32_t used = ftl->map[logical];
  if (used == MODEL_FTL_NONE) {
    return;
  }
  const uint32_t block = used / ftl->profile->flash_block_pages;
  ftl->map[logical] = MODEL_FTL_NONE;
  ftl->owner[used] = MODEL_FTL_NONE;
  ftl->blocks[block].valid--;
  ftl->plane[block / ftl->plane_blocks].valid--;
  ftl->stats.pages_mapped--;
}

/* Opens the free block with the least wear. */
static void open_block(struct csd_ftl *ftl, uint32_t plane) {
  uint32_t best = MODEL_FTL_NONE;
  for (uint32_t i = 0; i < ftl->plane_blocks; i++) {
    const struct model_ftl_block *block = model_ftl_block_of(ftl, plane, i);
    if (block->state != MODEL_FTL_FREE) {
      continue;
    }
    if (best == MODEL_FTL_NONE || block->wear < model_ftl_block_of(ftl, plane, best)->wear) {
      best = i;
    }
  }
  struct model_ftl_plane *p = &ftl->plane[plane];
  model_ftl_block_of(ftl, plane, p->open)->state = MODEL_FTL_CLOSED;
  model_ftl_block_of(ftl, plane, best)->state = MODEL_FTL_OPEN;
  p->open = best;
  p->next = 0;
  p->free--;
}

/* Programs a logical page into the open block of a plane. That block has room, or the plane has a
 * free one. */
static void program(struct csd_ftl *ftl, uint32_t plane, uint32_t logical,
                    struct csd_model_log *log) {
  struct model_ftl_plane *p = &ftl->plane[plane];
  if (p->next == ftl->profile->flash_block_pages) {
    open_block(ftl, plane);
  }
  const uint32_t used = model_ftl_used_page(ftl, plane, p->open, p->next++);
  ftl->map[logical] = used;
  ftl->owner[used] = logical;
  model_ftl_block_of(ftl, plane, p->open)->valid++;
  p->valid++;
  ftl->stats.pages_mapped++;
  ftl->stats.pages_programmed++;
  add(log, CSD_MODEL_FLASH_PROGRAM, physical_page(ftl, used));
}

/* Copies the valid pages of a block and erases it. */
static void empty_block(struct csd_ftl *ftl, uint32_t plane, uint32_t block,
                        struct csd_model_log *log) {
  struct model_ftl_block *b = model_ftl_block_of(ftl, plane, block);
  for (uint32_t i = 0; i < ftl->profile->flash_block_pages && b->valid > 0; i++) {
    const uint32_t used = model_ftl_used_page(ftl, plane, block, i);
    const uint32_t logical = ftl->owner[used];
    if (logical == MODEL_FTL_NONE) {
      continue;
    }
    add(log, CSD_MODEL_FLASH_READ, physical_page(ftl, used));
    invalidate(ftl, logical);
    program(ftl, plane, logical, log);
    ftl->stats.pages_copied++;
  }
  add(log, CSD_MODEL_FLASH_ERASE, physical_block(ftl, plane, block));
  b->state = MODEL_FTL_FREE;
  b->wear++;
  ftl->plane[plane].free++;
  ftl->stats.blocks_erased++;
}

/* The closed block with the fewest valid pages, of those the one with the least wear. */
static uint32_t find_victim(const struct csd_ftl *ftl, uint32_t plane) {
  uint32_t best = MODEL_FTL_NONE;
  for (uint32_t i = 0; i < ftl->plane_blocks; i++) {
    const struct model_ftl_block *block = model_ftl_block_of(ftl, plane, i);
    if (block->state != MODEL_FTL_CLOSED) {
      continue;
    }
    const struct model_ftl_block *other =
        best == MODEL_FTL_NONE ? NULL : model_ftl_block_of(ftl, plane, best);
    if (other == NULL || block->valid < other->valid ||
        (block->valid == other->valid && block->wear < other->wear)) {
      best = i;
    }
  }
  return best;
}

/* Moves data that never change out of the block with the least wear, so that it is used again. */
static void level_wear(struct csd_ftl *ftl, uint32_t plane, struct csd_model_log *log) {
  uint32_t least = MODEL_FTL_NONE;
  uint32_t most = 0;
  for (uint32_t i = 0; i < ftl->plane_blocks; i++) {
    const struct model_ftl_block *block = model_ftl_block_of(ftl, plane, i);
    if (block->wear > most) {
      most = block->wear;
    }
    if (block->state == MODEL_FTL_CLOSED &&
        (least == MODEL_FTL_NONE || block->wear < model_ftl_block_of(ftl, plane, least)->wear)) {
      least = i;
    }
  }
  if (least == MODEL_FTL_NONE ||
      model_ftl_block_of(ftl, plane, least)->wear + LEVEL_SPREAD > most) {
    return;
  }
  empty_block(ftl, plane, least, log);
}

static void collect(struct csd_ftl *ftl, uint32_t plane, struct csd_model_log *log) {
  struct model_ftl_plane *p = &ftl->plane[plane];
  while (p->free < ftl->profile->flash_gc_blocks) {
    empty_block(ftl, plane, find_victim(ftl, plane), log);
    if (++p->collections % LEVEL_EVERY == 0) {
      level_wear(ftl, plane, log);
    }
  }
}

static void write_page(struct csd_ftl *ftl, uint32_t logical, bool whole,
                       struct csd_model_log *log) {
  if (ftl->map[logical] != MODEL_FTL_NONE && !whole) {
    add(log, CSD_MODEL_FLASH_READ, physical_page(ftl, ftl->map[logical]));
    ftl->stats.pages_read++;
  }
  invalidate(ftl, logical);
  uint32_t plane = plane_in_turn(ftl, ftl->turn);
  while (ftl->plane[plane].valid >= ftl->max_valid) {
    ftl->turn = (ftl->turn + 1) % ftl->planes;
    plane = plane_in_turn(ftl, ftl->turn);
  }
  ftl->turn = (ftl->turn + 1) % ftl->planes;
  program(ftl, plane, logical, log);
  collect(ftl, plane, log);
}

static int check_range(const struct csd_ftl *ftl, uint32_t lba, uint32_t count) {
  if (lba <= ftl->lba_count && count <= ftl->lba_count - lba) {
    return 0;
  }
  return csd_fail(CSD_STATUS_OUT_OF_RANGE, "FTL: %u LBAs at LBA %u of %u", count, lba,
                  ftl->lba_count);
}

int csd_ftl_write(struct csd_ftl *ftl, uint32_t lba, uint32_t count, struct csd_model_log *log) {
  const int status = check_range(ftl, lba, count);
  if (status < 0) {
    return status;
  }
  const uint64_t end = (uint64_t)lba + count;
  for (uint64_t at = lba; at < end;) {
    const uint64_t page = at / ftl->page_lbas;
    const uint64_t page_end = (page + 1) * ftl->page_lbas;
    const uint64_t next = page_end < end ? page_end : end;
    /* The last logical page may be shorter. */
    const uint64_t all_end = page_end < ftl->lba_count ? page_end : ftl->lba_count;
    write_page(ftl, (uint32_t)page, at == page * ftl->page_lbas && next == all_end, log);
    at = next;
  }
  ftl->stats.lbas_written += count;
  return log != NULL ? log->failure : 0;
}

int csd_ftl_trim(struct csd_ftl *ftl, uint32_t lba, uint32_t count) {
  const int status = check_range(ftl, lba, count);
  if (status < 0) {
    return status;
  }
  const uint64_t end = (uint64_t)lba + count;
  for (uint64_t page = ((uint64_t)lba + ftl->page_lbas - 1) / ftl->page_lbas; page < ftl->pages;
       page++) {
    const uint64_t page_end = (page + 1) * ftl->page_lbas;
    if ((page_end < ftl->lba_count ? page_end : ftl->lba_count) > end) {
      break;
    }
    invalidate(ftl, (uint32_t)page);
  }
  return 0;
}

/* ---- look-ups ---- */

uint32_t csd_ftl_find(const struct csd_ftl *ftl, uint32_t lba) {
  if (lba >= ftl->lba_count) {
    return CSD_MODEL_NOWHERE;
  }
  const uint32_t used = ftl->map[lba / ftl->page_lbas];
  return used == MODEL_FTL_NONE ? CSD_MODEL_NOWHERE : physical_page(ftl, used);
}

static uint32_t find(void *context, uint32_t lba) { return csd_ftl_find(context, lba); }

struct csd_model_place csd_ftl_place(struct csd_ftl *ftl) {
  return (struct csd_model_place){.find = find, .context = ftl};
}
