/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Which pages stay. Pages are loaded and pinned as device memory does it, without bytes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/memory/frame_queues.h"
#include "tests/support/check.h"

enum { FRAMES = 200, LBAS = 20000 };

static struct csd_frame frames[FRAMES];
static _Atomic uint32_t map[LBAS];
static struct csd_frame_queues queues;

static void open_queues(void) {
  memset((void *)frames, 0, sizeof frames);
  memset((void *)map, 0, sizeof map);
  REQUIRE(csd_frame_queues_open(&queues, frames, FRAMES, map));
}

static bool is_there(uint64_t lba) { return map[lba] != 0 && map[lba] < CSD_MAP_GONE; }

/* Pins a page, without unpinning it. Returns whether it was there. */
static bool pin(uint64_t lba) {
  if (is_there(lba)) {
    struct csd_frame *frame = &frames[map[lba] - 1];
    CHECK_EQ(lba, frame->lba);
    frame->state = csd_frame_pinned(frame->state);
    return true;
  }
  struct csd_frame_taken taken;
  if (!CHECK(csd_frame_queues_take(&queues, lba, &taken))) {
    return false;
  }
  CHECK(!taken.evicted || !is_there(taken.lba));
  struct csd_frame *frame = &frames[taken.frame];
  CHECK_EQ(1, frame->state & (CSD_FRAME_PINS | CSD_FRAME_VALID));
  frame->lba = lba;
  frame->state |= CSD_FRAME_VALID;
  map[lba] = (uint32_t)taken.frame + 1;
  return false;
}

static void unpin(uint64_t lba) { frames[map[lba] - 1].state--; }

/* Uses a page once. Returns whether it was there. */
static bool use(uint64_t lba) {
  const bool hit = pin(lba);
  unpin(lba);
  return hit;
}

/* Pages that are read once take a tenth of the memory. */
static void a_scan_leaves_what_is_used_again(void) {
  open_queues();
  for (int round = 0; round < 4; round++) {
    for (uint64_t lba = 0; lba < FRAMES / 2; lba++) {
      use(lba);
    }
  }
  for (uint64_t lba = 1000; lba < LBAS; lba++) {
    CHECK(!use(lba));
  }
  for (uint64_t lba = 0; lba < FRAMES / 2; lba++) {
    CHECK_MSG(is_there(lba), "page %d", (int)lba);
  }
  csd_frame_queues_close(&queues);
}

/* A page that comes back soon after it left is kept, though it was never used twice at once. */
static void a_page_that_comes_back_stays(void) {
  open_queues();
  uint64_t lba = 1000;
  use(5);
  while (is_there(5)) {
    use(lba++);
  }
  CHECK(!use(5));
  for (int i = 0; i < 10 * FRAMES; i++) {
    use(lba++);
  }
  CHECK(is_there(5));
  /* One that comes back late is new. */
  use(6);
  while (is_there(6)) {
    use(lba++);
  }
  for (int i = 0; i < 2 * FRAMES; i++) {
    use(lba++);
  }
  CHECK(!use(6));
  for (int i = 0; i < FRAMES; i++) {
    use(lba++);
  }
  CHECK(!is_there(6));
  csd_frame_queues_close(&queues);
}

/* What was used much, but is no longer, makes room. */
static void old_favourites_leave(void) {
  open_queues();
  for (int round = 0; round < 9; round++) {
    for (uint64_t lba = 0; lba < FRAMES; lba++) {
      use(lba);
    }
  }
  for (int round = 0; round < 20; round++) {
    for (uint64_t lba = 1000; lba < 1000 + FRAMES / 2; lba++) {
      use(lba);
    }
  }
  for (uint64_t lba = 1000; lba < 1000 + FRAMES / 2; lba++) {
    CHECK(use(lba));
  }
  csd_frame_queues_close(&queues);
}

static void pinned_frames_are_left_alone(void) {
  open_queues();
  for (uint64_t lba = 0; lba < FRAMES; lba++) {
    pin(lba);
  }
  struct csd_frame_taken taken;
  CHECK(!csd_frame_queues_take(&queues, LBAS - 1, &taken));
  for (uint64_t lba = 0; lba < FRAMES; lba++) {
    const uint32_t frame = map[lba] - 1;
    unpin(lba);
    pin(FRAMES + lba);
    CHECK_EQ(frame, map[FRAMES + lba] - 1);
    CHECK(!csd_frame_queues_take(&queues, LBAS - 1, &taken));
  }
  csd_frame_queues_close(&queues);
}

/* Pages in the order of their last use; the first is the oldest. */
struct lru {
  uint64_t lbas[FRAMES];
  uint32_t count;
};

static bool lru_use(struct lru *lru, uint64_t lba) {
  uint32_t at = 0;
  while (at < lru->count && lru->lbas[at] != lba) {
    at++;
  }
  const bool hit = at < lru->count;
  if (!hit && lru->count < FRAMES) {
    at = lru->count++;
  } else if (!hit) {
    at = 0;
  }
  memmove(&lru->lbas[at], &lru->lbas[at + 1], (lru->count - at - 1) * sizeof *lru->lbas);
  lru->lbas[lru->count - 1] = lba;
  return hit;
}

/* Pages used as often as words in a log of queries, between queries that read long lists. */
static void it_beats_the_least_recently_used(void) {
  open_queues();
  static struct lru lru;
  uint64_t seed = 11, scan = 5000;
  uint32_t hits = 0, lru_hits = 0;
  for (int i = 0; i < 40000; i++) {
    if (check_random_below(&seed, 400) == 0) {
      for (int j = 0; j < FRAMES; j++) {
        scan = scan + 1 < LBAS ? scan + 1 : 5000;
        use(scan);
        lru_use(&lru, scan);
      }
    }
    /* Zipf: the logarithm of the rank is even. */
    const double at = (double)check_random_below(&seed, 1 << 20) / (1 << 20);
    const uint64_t lba = (uint64_t)exp(at * log(4000.0));
    hits += use(lba);
    lru_hits += lru_use(&lru, lba);
  }
  CHECK_MSG(hits > lru_hits + lru_hits / 10, "%u hits, %u of LRU", hits, lru_hits);
  csd_frame_queues_close(&queues);
}

int main(void) {
  RUN(a_scan_leaves_what_is_used_again);
  RUN(a_page_that_comes_back_stays);
  RUN(old_favourites_leave);
  RUN(pinned_frames_are_left_alone);
  RUN(it_beats_the_least_recently_used);
  return check_result();
}
