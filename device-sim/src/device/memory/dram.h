/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Device memory: a fixed pool of frames that caches posting pages. A load reads a page and checks
 * it; in full the first time, and against its seal when it comes back (page_seal.h). A page is
 * pinned while it is used. Which pages are evicted: frame_queues.h.
 *
 * To pin a resident page takes no lock. Loads and invalidations of an LBA take one of a set of
 * mutexes and so exclude each other: a load cannot bring back bytes from before a write. If an LBA
 * is written while its page is pinned, it gets a new frame, and the old one keeps its bytes until
 * unpinned.
 */
#ifndef CSD_DRAM_H
#define CSD_DRAM_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/columns/page/stored_page.h"
#include "core/lists/page_check.h"
#include "device/index/page_index.h"
#include "device/memory/frame_queues.h"
#include "device/memory/page_seal.h"
#include "device/store/store.h"

enum { CSD_DRAM_STRIPES = 64 };

/** Bytes of a frame: a posting page, and the bytes behind it that may be read. */
#define CSD_FRAME_BYTES (CSD_PAGE_BYTES + CSD_PAGE_SLACK_BYTES)
/** Smallest number of frames of a pool. */
#define CSD_MIN_FRAMES 16u
/** Pages that a program may pin beside those that it needs: so few that frames do not run short. */
#define CSD_MAX_SPARE_PINS 7u
#define CSD_FRAMES_PER_SPARE_PIN 1024u

/** Counters of one user. Only that user adds; any thread may read. */
struct csd_dram_counts {
  _Atomic uint64_t hits, loads, reloads, evictions, rejects, asks;
};

/* What is asked for ahead is noted by LBA, in words of so many bits. */
#define CSD_ASKED_BITS UINT64_C(64)

/* Loads after the last slow one for which pages are asked for ahead. */
#define CSD_ASKING_LOADS 4096

struct csd_dram {
  uint8_t *pool; /* frame_count * CSD_FRAME_BYTES, touched only as it fills */
  struct csd_frame *frames;
  _Atomic uint32_t *map;   /* by LBA: frame number + 1, 0, or with CSD_MAP_GONE */
  _Atomic uint64_t *seals; /* by LBA: of the page that was last checked in full, or 0 */
  bool sealing;            /* there is a key */
  struct csd_seal_key key;
  _Atomic uint64_t *asked; /* by LBA, a bit each: it was asked for, and not evicted since */
  _Atomic uint64_t asked_count;
  _Atomic int32_t asking; /* loads that are left; 0 or less: what is asked for is in the system's
                             cache, as no read was slow, and to ask would only cost time */
  uint64_t frame_count;
  struct csd_frame_queues queues;
  struct csd_store *store;
  struct csd_page_index *index;
  pthread_mutex_t stripes[CSD_DRAM_STRIPES];
};

/**
 * @param bytes  memory for frames; at least CSD_MIN_FRAMES are made
 * @param store  outlives the pool, as `index` does
 * @return 0, or -NO_MEMORY
 */
int csd_dram_open(struct csd_dram *dram, uint64_t bytes, struct csd_store *store,
                  struct csd_page_index *index);
/** Closes the pool. No page may be pinned. */
void csd_dram_close(struct csd_dram *dram);

/** Memory that is taken for each LBA, in bytes and apart from a bit; touched as LBAs are. */
#define CSD_DRAM_LBA_BYTES (sizeof(uint32_t) + sizeof(uint64_t))

/** See csd_page_source.pin. */
int csd_dram_pin(struct csd_dram *dram, uint64_t lba, uint64_t stamp, uint32_t file_page,
                 const uint8_t **page, struct csd_dram_counts *counts);

/** See csd_page_source.place_of. */
uint64_t csd_dram_place_of(const struct csd_dram *dram, const uint8_t *page);

/** See csd_page_source.pin_again. */
bool csd_dram_pin_again(struct csd_dram *dram, uint64_t lba, const uint8_t *page, uint64_t place,
                        struct csd_dram_counts *counts);

/** See csd_page_source.unpin. */
void csd_dram_unpin(struct csd_dram *dram, const uint8_t *page);

/** See csd_page_source.prefetch. @return whether the page is resident */
bool csd_dram_prefetch(struct csd_dram *dram, uint64_t lba, bool whole);

/** Whether anything is asked for now: not while no read is slow. */
bool csd_dram_may_ask(const struct csd_dram *dram);

/**
 * See csd_page_source.ask. LBAs that were asked for before are not asked for again until their page
 * is evicted; all are forgotten once more have been asked for than there are frames. Of a direct
 * store, only those are asked for that are not resident, as far as there is room for them.
 *
 * @param owner  see csd_store_ask
 * @return whether any was asked for
 */
bool csd_dram_ask(struct csd_dram *dram, uint32_t owner, uint64_t lba, uint64_t count,
                  struct csd_dram_counts *counts);

/** See csd_page_source.spare_pins. */
static inline uint32_t csd_dram_spare_pins(const struct csd_dram *dram) {
  return dram->frame_count < CSD_FRAMES_PER_SPARE_PIN * CSD_MAX_SPARE_PINS
             ? (uint32_t)(dram->frame_count / CSD_FRAMES_PER_SPARE_PIN)
             : CSD_MAX_SPARE_PINS;
}

/**
 * Must be called after LBAs have been written in the store: forgets their cached pages and replaces
 * their index entries.
 *
 * @param written  `count` of them; their pages have been checked
 */
void csd_dram_rewritten(struct csd_dram *dram, uint64_t lba, uint64_t count,
                        const struct csd_written *written);

/** The same for LBAs that have been trimmed, or hold anything; fast where nothing is known. */
void csd_dram_trimmed(struct csd_dram *dram, uint64_t lba, uint64_t count);

/** Adds `more` to a counter that no other thread changes. */
static inline void csd_count(_Atomic uint64_t *counter, uint64_t more) {
  const uint64_t now = atomic_load_explicit(counter, memory_order_relaxed);
  atomic_store_explicit(counter, now + more, memory_order_relaxed);
}

#endif
