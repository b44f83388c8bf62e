/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/memory/dram.h"

#include <time.h>

#include "base/lazy_memory.h"
#include "base/status.h"

typedef unsigned long long ull;

/* LBAs of the map whose memory is prepared at once. It fills from the first on. */
enum { PREPARED_LBAS = 1 << 16 };

#define GENERATION CSD_FRAME_GENERATION
#define VALID CSD_FRAME_VALID

/* The first frames get their memory in small parts, so many frames at once: what opens a device for
   a query or two does not pay for a huge page. */
enum { FIRST_FRAMES = 512, PREPARED_FRAMES = 16 };
#define HUGE_PAGE (UINT64_C(2) << 20)

/* Bytes of a page that are read first: header and directory, which are seldom longer. */
#define HEAD_BYTES 1024u

/* A read that takes so long was not served from the system's cache. */
#define SLOW_NANOS 20000u

#define LOAD(atomic) atomic_load_explicit(&(atomic), memory_order_acquire)
#define SWAP(atomic, old, new)                                                            \
  atomic_compare_exchange_strong_explicit(&(atomic), &(old), (new), memory_order_acq_rel, \
                                          memory_order_acquire)

static uint8_t *page_of(const struct csd_dram *dram, uint64_t frame) {
  return dram->pool + frame * CSD_FRAME_BYTES;
}

static uint64_t frame_of(const struct csd_dram *dram, const uint8_t *page) {
  return (uint64_t)(page - dram->pool) / CSD_FRAME_BYTES;
}

static uint64_t asked_words(const struct csd_dram *dram) {
  return dram->store->lba_count / CSD_ASKED_BITS + 1;
}

static uint64_t prepared_lbas(const struct csd_dram *dram) {
  return dram->store->lba_count < PREPARED_LBAS ? dram->store->lba_count : PREPARED_LBAS;
}

static pthread_mutex_t *stripe_of(struct csd_dram *dram, uint64_t lba) {
  return &dram->stripes[lba % CSD_DRAM_STRIPES];
}

int csd_dram_open(struct csd_dram *dram, uint64_t bytes, struct csd_store *store,
                  struct csd_page_index *index) {
  uint64_t frames = bytes / CSD_FRAME_BYTES;
  if (frames < CSD_MIN_FRAMES) {
    frames = CSD_MIN_FRAMES;
  }
  if (frames > CSD_MAX_FRAMES) {
    frames = CSD_MAX_FRAMES;
  }
  if (frames > store->lba_count + CSD_MIN_FRAMES) {
    frames = store->lba_count + CSD_MIN_FRAMES;
  }
  dram->frame_count = frames;
  dram->store = store;
  dram->index = index;
  atomic_init(&dram->asked_count, 0);
  atomic_init(&dram->asking, CSD_ASKING_LOADS);
  for (int i = 0; i < CSD_DRAM_STRIPES; i++) {
    pthread_mutex_init(&dram->stripes[i], NULL);
  }
  dram->pool = csd_lazy_alloc(frames, CSD_FRAME_BYTES);
  dram->frames = csd_lazy_alloc(frames, sizeof *dram->frames);
  dram->map = csd_lazy_alloc(store->lba_count, sizeof *dram->map);
  dram->asked = csd_lazy_alloc(asked_words(dram), sizeof *dram->asked);
  dram->seals = csd_lazy_alloc(store->lba_count, sizeof *dram->seals);
  dram->sealing = csd_seal_key_draw(&dram->key);
  const bool queues = csd_frame_queues_open(&dram->queues, dram->frames, frames, dram->map);
  if (dram->pool == NULL || dram->frames == NULL || dram->map == NULL || dram->asked == NULL ||
      dram->seals == NULL || !queues) {
    csd_dram_close(dram);
    return csd_fail(CSD_STATUS_NO_MEMORY, "device memory of %llu pages", (ull)frames);
  }
  const uint64_t lbas = prepared_lbas(dram);
  csd_lazy_prepare((void *)dram->map, lbas * sizeof *dram->map);
  csd_lazy_prepare((void *)dram->asked, lbas / CSD_ASKED_BITS * sizeof *dram->asked);
  /* Frames fill from the first on, so that huge pages waste nothing. */
  if (frames > FIRST_FRAMES) {
    const uint64_t first = FIRST_FRAMES * CSD_FRAME_BYTES / HUGE_PAGE * HUGE_PAGE;
    csd_lazy_huge(dram->pool + first, (size_t)(frames * CSD_FRAME_BYTES - first));
  }
  return 0;
}

/* What the next device will touch first is kept for it. */
void csd_dram_close(struct csd_dram *dram) {
  const uint64_t used = csd_frame_queues_touched(&dram->queues);
  const uint64_t lbas = prepared_lbas(dram);
  csd_lazy_keep(dram->pool, dram->frame_count, CSD_FRAME_BYTES, used * CSD_FRAME_BYTES);
  csd_lazy_keep(dram->frames, dram->frame_count, sizeof *dram->frames, used * sizeof *dram->frames);
  csd_lazy_keep((void *)dram->map, dram->store->lba_count, sizeof *dram->map,
                lbas * sizeof *dram->map);
  csd_lazy_keep((void *)dram->asked, asked_words(dram), sizeof *dram->asked,
                lbas / CSD_ASKED_BITS * sizeof *dram->asked);
  csd_lazy_free((void *)dram->seals, dram->store->lba_count, sizeof *dram->seals);
  csd_frame_queues_close(&dram->queues);
  dram->pool = NULL, dram->frames = NULL, dram->map = NULL, dram->asked = NULL, dram->seals = NULL;
  for (int i = 0; i < CSD_DRAM_STRIPES; i++) {
    pthread_mutex_destroy(&dram->stripes[i]);
  }
}

static bool leads_to_frame(uint32_t mapped) { return mapped != 0 && mapped < CSD_MAP_GONE; }

/* Prefetches all lines at once. Mostly they are not in a cache, and the misses then overlap. */
static void prefetch_head(const struct csd_dram *dram, uint64_t frame) {
  const uint8_t *page = page_of(dram, frame);
  for (unsigned at = 0; at < HEAD_BYTES; at += 64) {
    __builtin_prefetch(page + at);
  }
}

/* Prefetches the rest of a page, but no nearer than the second cache: it is read a page later, and
   the first cache is full of what is read now. */
static void prefetch_rest(const struct csd_dram *dram, uint64_t frame) {
  const uint8_t *page = page_of(dram, frame);
  for (unsigned at = HEAD_BYTES; at < CSD_PAGE_BYTES; at += 64) {
    __builtin_prefetch(page + at, 0, 2);
  }
}

bool csd_dram_prefetch(struct csd_dram *dram, uint64_t lba, bool whole) {
  if (lba >= dram->store->lba_count) {
    return false;
  }
  const uint32_t mapped = atomic_load_explicit(&dram->map[lba], memory_order_relaxed);
  if (!leads_to_frame(mapped)) {
    return false;
  }
  __builtin_prefetch(&dram->frames[mapped - 1], 1);
  prefetch_head(dram, mapped - 1);
  if (whole) {
    prefetch_rest(dram, mapped - 1);
  }
  return true;
}

/* Notes that some LBAs of a word are asked for. Returns those that were not before. */
static uint64_t note_asked(struct csd_dram *dram, uint64_t word, uint64_t bits) {
  const uint64_t known = atomic_load_explicit(&dram->asked[word], memory_order_relaxed);
  return (bits & ~known) == 0
             ? 0
             : bits & ~atomic_fetch_or_explicit(&dram->asked[word], bits, memory_order_relaxed);
}

/* The LBA may be asked for again. */
static void forget_asked(struct csd_dram *dram, uint64_t lba) {
  _Atomic uint64_t *word = &dram->asked[lba / CSD_ASKED_BITS];
  const uint64_t bit = UINT64_C(1) << (lba % CSD_ASKED_BITS);
  if ((atomic_load_explicit(word, memory_order_relaxed) & bit) != 0) {
    atomic_fetch_and_explicit(word, ~bit, memory_order_relaxed);
  }
}

/* Counts LBAs that were asked for. If many are not loaded, the system may have dropped them. */
static void count_asked(struct csd_dram *dram, uint64_t count, struct csd_dram_counts *counts) {
  csd_count(&counts->asks, count);
  const uint64_t before =
      atomic_fetch_add_explicit(&dram->asked_count, count, memory_order_relaxed);
  if (before + count > dram->frame_count && before <= dram->frame_count) {
    (void)csd_lazy_zero((void *)dram->asked, (size_t)(asked_words(dram) * sizeof *dram->asked));
    atomic_store_explicit(&dram->asked_count, 0, memory_order_relaxed);
  }
}

/* Asks a direct store for the LBAs that are not resident, stretch by stretch. */
static bool ask_directly(struct csd_dram *dram, uint32_t owner, uint64_t lba, uint64_t end,
                         struct csd_dram_counts *counts) {
  bool any = false;
  while (lba < end) {
    uint64_t to = lba;
    while (to < end &&
           !leads_to_frame(atomic_load_explicit(&dram->map[to], memory_order_relaxed))) {
      to++;
    }
    const uint64_t asked = lba < to ? csd_store_ask(dram->store, owner, lba, to - lba) : 0;
    csd_count(&counts->asks, asked);
    any = any || asked > 0;
    if (asked < to - lba) {
      break; /* there is no more room */
    }
    lba = to + 1;
  }
  return any;
}

bool csd_dram_may_ask(const struct csd_dram *dram) {
  return dram->store->reader != NULL ||
         atomic_load_explicit(&dram->asking, memory_order_relaxed) > 0;
}

bool csd_dram_ask(struct csd_dram *dram, uint32_t owner, uint64_t lba, uint64_t count,
                  struct csd_dram_counts *counts) {
  if (lba >= dram->store->lba_count) {
    return false;
  }
  const uint64_t left = dram->store->lba_count - lba;
  const uint64_t end = lba + (count < left ? count : left);
  if (dram->store->reader != NULL) {
    return ask_directly(dram, owner, lba, end, counts);
  }
  if (!csd_dram_may_ask(dram)) {
    return false;
  }
  uint64_t from = 0, to = 0; /* what is to be asked for, as one stretch */
  while (lba < end) {
    const uint64_t word = lba / CSD_ASKED_BITS, base = word * CSD_ASKED_BITS;
    const uint64_t stop = end - base < CSD_ASKED_BITS ? end - base : CSD_ASKED_BITS;
    const uint64_t below = stop == CSD_ASKED_BITS ? UINT64_MAX : (UINT64_C(1) << stop) - 1;
    const uint64_t fresh = note_asked(dram, word, below & (UINT64_MAX << (lba - base)));
    if (fresh != 0) {
      from = from == to ? base + (uint64_t)__builtin_ctzll(fresh) : from;
      to = base + CSD_ASKED_BITS - (uint64_t)__builtin_clzll(fresh);
    }
    lba = base + CSD_ASKED_BITS;
  }
  if (from < to) {
    (void)csd_store_ask(dram->store, owner, from, to - from);
    count_asked(dram, to - from, counts);
  }
  return from < to;
}

/* Pins the frame to which the map leads from an LBA. Returns false if there is none. */
static bool try_pin(struct csd_dram *dram, uint64_t lba, uint64_t *frame_out) {
  const uint32_t mapped = LOAD(dram->map[lba]);
  if (!leads_to_frame(mapped)) {
    return false;
  }
  struct csd_frame *frame = &dram->frames[mapped - 1];
  prefetch_head(dram, mapped - 1);
  uint64_t state = LOAD(frame->state);
  do {
    /* If the owner changes from here on, the generation does too, and the swap fails. */
    if (!(state & VALID) || LOAD(frame->lba) != lba) {
      return false;
    }
  } while (!csd_frame_swap(frame, &state, csd_frame_pinned(state)));
  *frame_out = mapped - 1;
  return true;
}

static void unpin_frame(struct csd_dram *dram, uint64_t frame) {
  atomic_fetch_sub_explicit(&dram->frames[frame].state, 1, memory_order_release);
}

void csd_dram_unpin(struct csd_dram *dram, const uint8_t *page) {
  unpin_frame(dram, frame_of(dram, page));
}

/* The place of a page is the generation of its frame. */
uint64_t csd_dram_place_of(const struct csd_dram *dram, const uint8_t *page) {
  return LOAD(dram->frames[frame_of(dram, page)].state) / GENERATION;
}

bool csd_dram_pin_again(struct csd_dram *dram, uint64_t lba, const uint8_t *page, uint64_t place,
                        struct csd_dram_counts *counts) {
  struct csd_frame *frame = &dram->frames[frame_of(dram, page)];
  uint64_t state = LOAD(frame->state);
  do {
    if (!(state & VALID) || state / GENERATION != place || LOAD(frame->lba) != lba) {
      return false;
    }
  } while (!csd_frame_swap(frame, &state, csd_frame_pinned(state)));
  csd_count(&counts->hits, 1);
  return true;
}

/* Takes a frame for the page of an LBA: it gets one pin and is not valid. */
static bool take(struct csd_dram *dram, uint64_t lba, uint64_t *frame,
                 struct csd_dram_counts *counts) {
  struct csd_frame_taken taken;
  if (!csd_frame_queues_take(&dram->queues, lba, &taken)) {
    return false;
  }
  if (taken.evicted) {
    forget_asked(dram, taken.lba);
    csd_count(&counts->evictions, 1);
  }
  if (taken.fresh && taken.frame < FIRST_FRAMES && taken.frame % PREPARED_FRAMES == 0) {
    const uint64_t left = dram->frame_count - taken.frame;
    const uint64_t count = left < PREPARED_FRAMES ? left : PREPARED_FRAMES;
    csd_lazy_prepare(page_of(dram, taken.frame), (size_t)(count * CSD_FRAME_BYTES));
  }
  *frame = taken.frame;
  return true;
}

/* Forgets the cached page of an LBA. Pins of it stay valid. The caller has locked its stripe. */
static void drop(struct csd_dram *dram, uint64_t lba) {
  forget_asked(dram, lba);
  csd_store_forget(dram->store, lba);
  const uint32_t mapped = LOAD(dram->map[lba]);
  /* Swaps, as an evictor may have taken the frame and changed the entry meanwhile. */
  uint32_t old = mapped;
  SWAP(dram->map[lba], old, 0);
  if (!leads_to_frame(mapped)) {
    return;
  }
  struct csd_frame *frame = &dram->frames[mapped - 1];
  uint64_t state = LOAD(frame->state);
  do {
    if (!(state & VALID) || LOAD(frame->lba) != lba) {
      return;
    }
  } while (!csd_frame_swap(frame, &state, state & ~(VALID | CSD_FRAME_USES)));
}

/* Tells the index of a page that has been loaded, if it does not know it. What lies on the store
   alone is not looked at for that: a load would have to read it. */
static void tell_index(struct csd_dram *dram, uint64_t lba, const uint8_t *page) {
  const struct csd_page_header header = csd_page_header_of(page);
  if (!csd_page_index_has(dram->index, lba, header.stamp, header.file_page)) {
    const struct csd_stored_page loaded = csd_stored_page_of(page);
    csd_page_index_put(dram->index, lba, &loaded);
  }
}

static uint64_t now_nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Reads the page of an LBA, and sees to it that pages are asked for as long as a drive is read. */
static int read_page(struct csd_dram *dram, uint64_t lba, uint8_t *page) {
  if (dram->store->reader != NULL) {
    return csd_store_read_page(dram->store, lba, page);
  }
  if (atomic_load_explicit(&dram->asking, memory_order_relaxed) > 0) {
    atomic_fetch_sub_explicit(&dram->asking, 1, memory_order_relaxed);
    return csd_store_read(dram->store, lba, 1, page);
  }
  const uint64_t before = now_nanos();
  const int status = csd_store_read(dram->store, lba, 1, page);
  if (now_nanos() - before >= SLOW_NANOS) {
    atomic_store_explicit(&dram->asking, CSD_ASKING_LOADS, memory_order_relaxed);
  }
  return status;
}

/* Checks a page that was read: in full, unless the very same bytes were before. */
static int check_page(struct csd_dram *dram, uint64_t lba, const uint8_t *page,
                      struct csd_dram_counts *counts) {
  const uint64_t seal = dram->sealing ? csd_seal_of(&dram->key, page) : 0;
  /* Read as if to write: memory that was never touched is then made by one fault, not by two. */
  if (seal != 0 && atomic_fetch_add(&dram->seals[lba], 0) == seal) {
    csd_count(&counts->reloads, 1);
    return 0;
  }
  const int status = csd_stored_page_check(page);
  if (status == 0) {
    atomic_store_explicit(&dram->seals[lba], seal, memory_order_release);
  }
  return status;
}

/* Pins the page of an LBA; reads and checks it unless it is resident by now. The caller has locked
   its stripe. */
static int load(struct csd_dram *dram, uint64_t lba, uint64_t *frame_out,
                struct csd_dram_counts *counts) {
  if (try_pin(dram, lba, frame_out)) {
    return 0;
  }
  uint64_t i;
  if (!take(dram, lba, &i, counts)) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "every one of %llu page frames is pinned",
                    (ull)dram->frame_count);
  }
  struct csd_frame *frame = &dram->frames[i];
  uint8_t *page = page_of(dram, i);
  int status = read_page(dram, lba, page);
  if (status == 0) {
    status = check_page(dram, lba, page, counts);
  }
  if (status < 0) {
    csd_page_index_clear(dram->index, lba);
    unpin_frame(dram, i); /* free from here on: not valid and not pinned */
    return csd_fail_in(status, "page at LBA %llu", (ull)lba);
  }
  tell_index(dram, lba, page);
  atomic_store_explicit(&frame->lba, lba, memory_order_release);
  /* No other thread changes the state of a frame that is pinned and not valid. */
  atomic_fetch_or_explicit(&frame->state, VALID, memory_order_release);
  atomic_store_explicit(&dram->map[lba], (uint32_t)i + 1, memory_order_release);
  csd_count(&counts->loads, 1);
  *frame_out = i;
  return 0;
}

static bool matches(const struct csd_dram *dram, uint64_t frame, uint64_t stamp,
                    uint32_t file_page) {
  const struct csd_page_header header = csd_page_header_of(page_of(dram, frame));
  return header.stamp == stamp && header.file_page == file_page;
}

/* Pins a page that is not resident, or not the expected one. If another process writes the store,
   the cached page may be out of date: reads it again, once. */
static int pin_slowly(struct csd_dram *dram, uint64_t lba, uint64_t stamp, uint32_t file_page,
                      uint64_t *frame, struct csd_dram_counts *counts) {
  pthread_mutex_t *stripe = stripe_of(dram, lba);
  pthread_mutex_lock(stripe);
  const uint64_t loads = LOAD(counts->loads);
  int status = load(dram, lba, frame, counts);
  if (status == 0 && !matches(dram, *frame, stamp, file_page) && LOAD(counts->loads) == loads) {
    unpin_frame(dram, *frame);
    drop(dram, lba);
    status = load(dram, lba, frame, counts);
  }
  pthread_mutex_unlock(stripe);
  if (status == 0 && !matches(dram, *frame, stamp, file_page)) {
    const struct csd_page_header header = csd_page_header_of(page_of(dram, *frame));
    unpin_frame(dram, *frame);
    status = csd_fail(CSD_STATUS_PAGE_STALE,
                      "LBA %llu holds page %u of file %016llx, not page %u of file %016llx",
                      (ull)lba, header.file_page, (ull)header.stamp, file_page, (ull)stamp);
  }
  return status;
}

int csd_dram_pin(struct csd_dram *dram, uint64_t lba, uint64_t stamp, uint32_t file_page,
                 const uint8_t **page, struct csd_dram_counts *counts) {
  int status = csd_store_check_range(dram->store, lba, 1);
  if (status < 0) {
    return status;
  }
  uint64_t frame;
  bool hit = try_pin(dram, lba, &frame);
  if (hit && !matches(dram, frame, stamp, file_page)) {
    unpin_frame(dram, frame);
    hit = false;
  }
  if (hit) {
    csd_count(&counts->hits, 1);
  } else {
    status = pin_slowly(dram, lba, stamp, file_page, &frame, counts);
    if (status == -CSD_STATUS_PAGE_CORRUPT || status == -CSD_STATUS_PAGE_STALE ||
        status == -CSD_STATUS_UNSUPPORTED_VERSION) {
      csd_count(&counts->rejects, 1);
    }
    if (status < 0) {
      return status;
    }
  }
  *page = page_of(dram, frame);
  return 0;
}

void csd_dram_rewritten(struct csd_dram *dram, uint64_t lba, uint64_t count,
                        const struct csd_written *written) {
  for (uint64_t at = lba; at < lba + count; at++) {
    pthread_mutex_lock(stripe_of(dram, at));
    drop(dram, at);
    pthread_mutex_unlock(stripe_of(dram, at));
  }
  /* After the last load that may have read what was there before: it may have told the index. */
  csd_page_index_written(dram->index, lba, count, written);
}

void csd_dram_trimmed(struct csd_dram *dram, uint64_t lba, uint64_t count) {
  for (uint64_t at = lba; at < lba + count; at++) {
    /* May miss a page that is being loaded: its read came before the trim. */
    if (LOAD(dram->map[at]) != 0 || dram->store->reader != NULL) {
      pthread_mutex_lock(stripe_of(dram, at));
      drop(dram, at);
      pthread_mutex_unlock(stripe_of(dram, at));
    }
  }
  csd_page_index_trimmed(dram->index, lba, count);
}
