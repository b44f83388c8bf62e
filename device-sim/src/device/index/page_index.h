/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The page index: for every LBA that holds a page of postings or of a column, the page's file, its
 * number there and what of it lets a program skip it unread (csd_page_range). An entry is made as
 * its page is written, or loaded. After FLIXR (Koo et al., IEEE TC 2022): the index pages lie on
 * the store (section 4.3), a bounded cache holds those in use, and an entry whose page is being
 * written is noted as pending before (4.6), so that what a crash left undone is rebuilt exactly.
 *
 * A page of a given stamp and number never changes. So an entry that matches both is right even
 * after the LBA has been rewritten: it then describes a page that is gone, as a read would show.
 *
 * Threads: look-ups of cached groups take no lock. All else takes the index's own lock, which may
 * be held while an index page is read or written.
 */
#ifndef CSD_PAGE_INDEX_H
#define CSD_PAGE_INDEX_H

#include <pthread.h>
#include <stdatomic.h>

#include "csd/csd.h"
#include "device/index/index_file.h"
#include "device/index/index_rebuild.h"

/** Default of the cache; holds the entries of 1.5 GiB of pages. */
#define CSD_DEFAULT_INDEX_BYTES (UINT64_C(16) << 20)

/* Each slot is a sequence lock. Its fields are atomic: a torn read is then detected, and defined.
 */
struct csd_page_index_slot {
  _Atomic uint64_t stamp;
  _Atomic uint64_t lead_impacts;
  _Atomic uint32_t lead_first_doc;
  _Atomic uint32_t lead_last_doc;
  _Atomic uint32_t file_page;
  _Atomic uint32_t sequence; /* bit 0: being changed; bit 1: present; above: count of changes */
};

/** The cached entries of a group of LBAs. */
struct csd_index_frame {
  struct csd_page_index_slot slots[CSD_GROUP_LBAS];
  _Atomic uint64_t parts[CSD_GROUP_LBAS]; /* of column pages; the rest of their slots */
  uint64_t pending[CSD_GROUP_WORDS];      /* entries whose pages are being written */
  uint64_t noted[CSD_GROUP_WORDS];        /* pending bits as the file has them */
  uint64_t group;
  bool taken;       /* it holds a group */
  bool dirty;       /* it differs from the index page on the store */
  atomic_bool used; /* since the clock passed */
};

struct csd_page_index {
  struct csd_index_frame *frames;
  _Atomic uint32_t *map; /* by group: frame number + 1, or 0 */
  atomic_bool *asked; /* by group: its index page was asked for, and has not been dropped since */
  uint64_t lba_count, group_count, frame_count;
  _Atomic uint64_t stored_groups; /* index pages up to the end of the file */
  pthread_mutex_t lock;           /* guards what follows, and all changes */
  struct csd_index_file file;
  uint64_t hand;                 /* of the clock */
  uint64_t touched;              /* no frame from this one on has held a group */
  struct csd_rebuilt rebuilt;    /* after a crash */
  uint64_t loads;                /* index pages read from the store */
  struct csd_index_group *group; /* a group on its way to or from the store, */
  uint8_t *page;                 /* and its index page */
};

/**
 * Opens an index in memory.
 *
 * @param bytes  of the cache; it holds two groups at least
 * @return 0, or -NO_MEMORY
 */
int csd_page_index_open(struct csd_page_index *index, uint64_t lba_count, uint64_t bytes);

/**
 * Puts the index onto the store: what its file has is known from now on. A writer's index notes its
 * changes there, and first rebuilds what a crash left undone. If the file cannot be used, the index
 * lives on in memory. Call it before commands run, or while none writes.
 */
void csd_page_index_attach(struct csd_page_index *index, struct csd_store *store, bool writing);

/** Writes back what is not on the store, and closes the index. */
void csd_page_index_close(struct csd_page_index *index);

/** Sets the entry of an LBA to what there is to know of a checked page that was loaded from it. */
void csd_page_index_put(struct csd_page_index *index, uint64_t lba,
                        const struct csd_stored_page *page);

/** Removes the entry of an LBA, if there is one. */
void csd_page_index_clear(struct csd_page_index *index, uint64_t lba);

/** Notes, before LBAs are written or trimmed, that their entries will have to be rebuilt. */
void csd_page_index_begin(struct csd_page_index *index, uint64_t lba, uint64_t count);

/** What an LBA has been written with. */
struct csd_written {
  bool is_page;
  struct csd_stored_page page; /* if it is one */
};

/** Sets the entries of LBAs that have been written. */
void csd_page_index_written(struct csd_page_index *index, uint64_t lba, uint64_t count,
                            const struct csd_written *written);

/** Removes the entries of LBAs. */
void csd_page_index_trimmed(struct csd_page_index *index, uint64_t lba, uint64_t count);

/** Writes back what is not on the store, and makes it durable. */
void csd_page_index_flush(struct csd_page_index *index);

/** Returns whether the LBA is known to hold page `file_page` of file `stamp`; sets *range if so. */
bool csd_page_index_peek(struct csd_page_index *index, uint64_t lba, uint64_t stamp,
                         uint32_t file_page, struct csd_page_range *range);

/** Prefetches what the cache has of the entries of an LBA and of the next one. */
void csd_page_index_prefetch(const struct csd_page_index *index, uint64_t lba);

/**
 * Returns whether an entry need not be made for a page that was loaded: it is known, or its index
 * page lies on the store and is not cached. What that lacks is made when the page is loaded next
 * after the group was.
 */
bool csd_page_index_has(struct csd_page_index *index, uint64_t lba, uint64_t stamp,
                        uint32_t file_page);

/** Whether csd_page_index_peek would not have to read for an LBA. */
bool csd_page_index_is_cached(const struct csd_page_index *index, uint64_t lba);

/**
 * Asks for what the store has of the entries of LBAs, unless it is cached or was asked for. Does
 * not wait.
 */
void csd_page_index_ask(struct csd_page_index *index, uint64_t lba, uint64_t count);

/** Adds to what a device did: index pages read, entries rebuilt. */
void csd_page_index_add_counts(struct csd_page_index *index, struct csd_device_stats *stats);

/** Memory that an index of so many LBAs takes at most, in bytes. */
uint64_t csd_page_index_bytes(const struct csd_page_index *index);

#endif
