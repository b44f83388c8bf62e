/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/index/page_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/lazy_memory.h"
#include "base/status.h"

enum { CHANGING = 1, PRESENT = 2, ONE_CHANGE = 4 };
enum { MIN_FRAMES = 2 };

/* Release and acquire order keeps the fields between the two looks at `sequence`. */
#define PUT(field, value) atomic_store_explicit(&slot->field, (value), memory_order_release)
#define GET(field) atomic_load_explicit(&slot->field, memory_order_acquire)

int csd_page_index_open(struct csd_page_index *index, uint64_t lba_count, uint64_t bytes) {
  const uint64_t groups = (lba_count + CSD_GROUP_LBAS - 1) / CSD_GROUP_LBAS;
  uint64_t frames = bytes / sizeof(struct csd_index_frame);
  frames = frames < MIN_FRAMES ? MIN_FRAMES : frames;
  frames = frames > groups + MIN_FRAMES ? groups + MIN_FRAMES : frames;
  frames = frames < UINT32_MAX ? frames : UINT32_MAX - 1u;
  *index = (struct csd_page_index){.lba_count = lba_count,
                                   .group_count = groups,
                                   .frame_count = frames,
                                   .file = {.file = -1},
                                   .rebuilt = {.complete = true}};
  pthread_mutex_init(&index->lock, NULL);
  index->frames = csd_lazy_alloc(frames, sizeof *index->frames);
  index->map = csd_lazy_alloc(groups, sizeof *index->map);
  index->asked = csd_lazy_alloc(groups, sizeof *index->asked);
  index->group = malloc(sizeof *index->group);
  index->page = malloc(CSD_INDEX_PAGE_BYTES);
  if (index->frames == NULL || index->map == NULL || index->asked == NULL || index->group == NULL ||
      index->page == NULL) {
    csd_page_index_close(index);
    return csd_fail(CSD_STATUS_NO_MEMORY, "page index of %llu LBAs", (unsigned long long)lba_count);
  }
  return 0;
}

/* Sets slot `i` of a frame; NULL: it has no entry. */
static void set_slot(struct csd_index_frame *frame, uint32_t i,
                     const struct csd_stored_page *page) {
  struct csd_page_index_slot *slot = &frame->slots[i];
  const uint32_t sequence = atomic_load_explicit(&slot->sequence, memory_order_relaxed);
  const uint32_t next = (sequence & ~(uint32_t)(CHANGING | PRESENT)) + ONE_CHANGE;
  if (page == NULL) {
    if (sequence & PRESENT) {
      PUT(sequence, next);
    }
    return;
  }
  PUT(sequence, sequence | CHANGING);
  PUT(stamp, page->stamp);
  PUT(file_page, page->file_page);
  PUT(lead_first_doc, page->range.lead_first_doc);
  PUT(lead_last_doc, page->range.lead_last_doc);
  PUT(lead_impacts, page->range.lead_impacts);
  atomic_store_explicit(&frame->parts[i], page->range.parts, memory_order_release);
  PUT(sequence, next | PRESENT);
}

/* Reads what slot `i` of a frame keeps of its page. */
static inline void get_range(const struct csd_index_frame *frame, uint32_t i,
                             struct csd_page_range *range) {
  const struct csd_page_index_slot *slot = &frame->slots[i];
  *range = (struct csd_page_range){.lead_first_doc = GET(lead_first_doc),
                                   .lead_last_doc = GET(lead_last_doc),
                                   .lead_impacts = GET(lead_impacts)};
  if ((range->lead_first_doc & CSD_PAGE_RANGE_COLUMN) != 0) {
    range->parts = atomic_load_explicit(&frame->parts[i], memory_order_acquire);
  }
}

/* Reads a slot. Returns whether it has an entry; false also if it changes meanwhile. */
static bool get_slot(const struct csd_index_frame *frame, uint32_t i,
                     struct csd_stored_page *page) {
  const struct csd_page_index_slot *slot = &frame->slots[i];
  const uint32_t sequence = GET(sequence);
  if ((sequence & (CHANGING | PRESENT)) != PRESENT) {
    return false;
  }
  page->stamp = GET(stamp);
  page->file_page = GET(file_page);
  get_range(frame, i, &page->range);
  return atomic_load_explicit(&slot->sequence, memory_order_relaxed) == sequence;
}

static bool has_entry(const struct csd_index_frame *frame, uint32_t i) {
  return (atomic_load_explicit(&frame->slots[i].sequence, memory_order_relaxed) & PRESENT) != 0;
}

/* What is below holds the lock. */

static void abandon(struct csd_page_index *index) {
  csd_index_file_abandon(&index->file);
  atomic_store_explicit(&index->stored_groups, 0, memory_order_release);
}

static void note_groups(struct csd_page_index *index) {
  const uint64_t groups = index->file.file >= 0 ? index->file.groups : 0;
  atomic_store_explicit(&index->stored_groups, groups, memory_order_release);
}

/* Writes a group to its index page. A file that cannot be written is given up. */
static bool write_group(struct csd_page_index *index, uint64_t number) {
  csd_index_encode(index->group, number, index->page);
  if (csd_index_file_write(&index->file, number, index->page) < 0) {
    abandon(index);
    return false;
  }
  note_groups(index);
  return true;
}

static void write_back(struct csd_page_index *index, struct csd_index_frame *frame) {
  if (!frame->dirty || !index->file.writing) {
    return;
  }
  struct csd_index_group *group = index->group;
  memset(group->present, 0, sizeof group->present);
  memcpy(group->pending, frame->pending, sizeof group->pending);
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    if (get_slot(frame, i, &group->pages[i])) {
      csd_set_bit(group->present, i);
    }
  }
  if (write_group(index, frame->group)) {
    memcpy(frame->noted, frame->pending, sizeof frame->noted);
    frame->dirty = false;
  }
}

static void empty_frame(struct csd_page_index *index, struct csd_index_frame *frame) {
  if (frame->taken) {
    atomic_store_explicit(&index->map[frame->group], 0, memory_order_release);
    atomic_store_explicit(&index->asked[frame->group], false, memory_order_relaxed);
  }
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    set_slot(frame, i, NULL);
  }
  memset(frame->pending, 0, sizeof frame->pending);
  memset(frame->noted, 0, sizeof frame->noted);
  frame->taken = false;
  frame->dirty = false;
}

/* A frame for another group: one that was not used since the clock passed it. */
static struct csd_index_frame *take_frame(struct csd_page_index *index) {
  for (;;) {
    struct csd_index_frame *frame = &index->frames[index->hand];
    index->hand = (index->hand + 1) % index->frame_count;
    if (!frame->taken) {
      const uint64_t frames = (uint64_t)(frame - index->frames) + 1;
      if (frames > index->touched) {
        index->touched = frames;
        csd_lazy_prepare(frame, sizeof *frame);
      }
      return frame;
    }
    if (!atomic_exchange_explicit(&frame->used, false, memory_order_relaxed)) {
      write_back(index, frame);
      empty_frame(index, frame);
      return frame;
    }
  }
}

/* Reads the index page of a group; without one, or if it is damaged, there are no entries. */
static void read_group(struct csd_page_index *index, uint64_t number) {
  struct csd_index_group *group = index->group;
  const bool stored = index->file.file >= 0 && number < index->file.groups;
  index->loads += stored;
  if (!stored || csd_index_file_read(&index->file, number, index->page) < 0 ||
      csd_index_decode(index->page, number, group) < 0) {
    memset(group->present, 0, sizeof group->present);
    memset(group->pending, 0, sizeof group->pending);
  }
}

/* Adds what an index page says to a frame that has no entry of the same LBA. */
static void fill_frame(struct csd_page_index *index, struct csd_index_frame *frame) {
  const struct csd_index_group *group = index->group;
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    if (csd_bit(group->present, i) && !csd_bit(group->pending, i) && !has_entry(frame, i)) {
      set_slot(frame, i, &group->pages[i]);
    }
  }
  memcpy(frame->pending, group->pending, sizeof frame->pending);
  memcpy(frame->noted, group->pending, sizeof frame->noted);
}

static struct csd_index_frame *frame_of(struct csd_page_index *index, uint64_t number) {
  const uint32_t mapped = atomic_load_explicit(&index->map[number], memory_order_relaxed);
  if (mapped != 0) {
    return &index->frames[mapped - 1];
  }
  struct csd_index_frame *frame = take_frame(index);
  read_group(index, number);
  fill_frame(index, frame);
  frame->group = number;
  frame->taken = true;
  atomic_store_explicit(&frame->used, true, memory_order_relaxed);
  atomic_store_explicit(&index->map[number], (uint32_t)(frame - index->frames) + 1,
                        memory_order_release);
  return frame;
}

static void set_entry(struct csd_page_index *index, uint64_t lba,
                      const struct csd_stored_page *page) {
  pthread_mutex_lock(&index->lock);
  struct csd_index_frame *frame = frame_of(index, lba / CSD_GROUP_LBAS);
  const uint32_t i = (uint32_t)(lba % CSD_GROUP_LBAS);
  frame->dirty |= page != NULL || has_entry(frame, i);
  set_slot(frame, i, page);
  pthread_mutex_unlock(&index->lock);
}

/* What is below takes the lock. */

void csd_page_index_put(struct csd_page_index *index, uint64_t lba,
                        const struct csd_stored_page *page) {
  set_entry(index, lba, page);
}

void csd_page_index_clear(struct csd_page_index *index, uint64_t lba) {
  set_entry(index, lba, NULL);
}

/* A stretch of LBAs within one group. */
struct stretch {
  uint64_t group;
  uint32_t first, count;
};

/* The stretch at the start of a range of LBAs. */
static struct stretch stretch_of(uint64_t lba, uint64_t count) {
  const uint32_t first = (uint32_t)(lba % CSD_GROUP_LBAS), room = CSD_GROUP_LBAS - first;
  return (struct stretch){lba / CSD_GROUP_LBAS, first, count < room ? (uint32_t)count : room};
}

/* Notes a whole group as pending that is not cached. */
static void begin_whole(struct csd_page_index *index, uint64_t number) {
  uint64_t all[CSD_GROUP_WORDS];
  memset(all, 0xFF, sizeof all);
  if (index->file.writing && number < index->file.groups &&
      csd_index_file_note(&index->file, number, all) < 0) {
    abandon(index);
  }
}

static void begin_in(struct csd_page_index *index, const struct stretch *s) {
  if (s->count == CSD_GROUP_LBAS &&
      atomic_load_explicit(&index->map[s->group], memory_order_relaxed) == 0) {
    begin_whole(index, s->group);
    return;
  }
  struct csd_index_frame *frame = frame_of(index, s->group);
  uint64_t noted = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    csd_set_bit(frame->pending, s->first + i);
  }
  for (uint32_t w = 0; w < CSD_GROUP_WORDS; w++) {
    noted |= frame->pending[w] & ~frame->noted[w];
    frame->noted[w] |= frame->pending[w];
  }
  if (noted == 0 || !index->file.writing) {
    return;
  }
  if (csd_index_file_note(&index->file, s->group, frame->noted) < 0) {
    abandon(index);
  } else {
    note_groups(index);
  }
}

void csd_page_index_begin(struct csd_page_index *index, uint64_t lba, uint64_t count) {
  if (lba >= index->lba_count || count > index->lba_count - lba) {
    return; /* the write will fail */
  }
  pthread_mutex_lock(&index->lock);
  while (count > 0) {
    const struct stretch s = stretch_of(lba, count);
    begin_in(index, &s);
    lba += s.count, count -= s.count;
  }
  pthread_mutex_unlock(&index->lock);
}

static void write_in(struct csd_page_index *index, const struct stretch *s,
                     const struct csd_written *written) {
  struct csd_index_frame *frame = frame_of(index, s->group);
  for (uint32_t i = 0; i < s->count; i++) {
    csd_clear_bit(frame->pending, s->first + i);
    set_slot(frame, s->first + i, written[i].is_page ? &written[i].page : NULL);
  }
  frame->dirty = true;
}

void csd_page_index_written(struct csd_page_index *index, uint64_t lba, uint64_t count,
                            const struct csd_written *written) {
  pthread_mutex_lock(&index->lock);
  while (count > 0) {
    const struct stretch s = stretch_of(lba, count);
    write_in(index, &s, written);
    lba += s.count, count -= s.count, written += s.count;
  }
  pthread_mutex_unlock(&index->lock);
}

static void trim_in(struct csd_page_index *index, const struct stretch *s) {
  const uint32_t mapped = atomic_load_explicit(&index->map[s->group], memory_order_relaxed);
  if (mapped == 0 && s->group >= index->file.groups) {
    return;
  }
  if (s->count == CSD_GROUP_LBAS) {
    if (mapped != 0) {
      empty_frame(index, &index->frames[mapped - 1]);
    }
    return; /* the file's index pages are emptied at once */
  }
  struct csd_index_frame *frame = frame_of(index, s->group);
  for (uint32_t i = s->first; i < s->first + s->count; i++) {
    csd_clear_bit(frame->pending, i);
    set_slot(frame, i, NULL);
  }
  frame->dirty = true;
}

void csd_page_index_trimmed(struct csd_page_index *index, uint64_t lba, uint64_t count) {
  const uint64_t whole = (lba + CSD_GROUP_LBAS - 1) / CSD_GROUP_LBAS;
  const uint64_t whole_end = (lba + count) / CSD_GROUP_LBAS;
  pthread_mutex_lock(&index->lock);
  while (count > 0) {
    const struct stretch s = stretch_of(lba, count);
    trim_in(index, &s);
    lba += s.count, count -= s.count;
  }
  if (index->file.writing && whole < whole_end &&
      csd_index_file_empty(&index->file, whole, whole_end - whole) < 0) {
    abandon(index);
  }
  pthread_mutex_unlock(&index->lock);
}

/* The frame of an LBA; NULL if nothing is known of its group. Brings the group into the cache. */
static inline const struct csd_index_frame *cached_frame(struct csd_page_index *index,
                                                         uint64_t lba) {
  if (lba >= index->lba_count) {
    return NULL;
  }
  const uint64_t number = lba / CSD_GROUP_LBAS;
  uint32_t mapped = atomic_load_explicit(&index->map[number], memory_order_acquire);
  if (mapped == 0) {
    if (number >= atomic_load_explicit(&index->stored_groups, memory_order_acquire)) {
      return NULL;
    }
    pthread_mutex_lock(&index->lock);
    mapped = (uint32_t)(frame_of(index, number) - index->frames) + 1;
    pthread_mutex_unlock(&index->lock);
  }
  /* From here on the frame may get another group. Its entries match other pages, or this one. */
  struct csd_index_frame *frame = &index->frames[mapped - 1];
  if (!atomic_load_explicit(&frame->used, memory_order_relaxed)) {
    atomic_store_explicit(&frame->used, true, memory_order_relaxed);
  }
  return frame;
}

bool csd_page_index_peek(struct csd_page_index *index, uint64_t lba, uint64_t stamp,
                         uint32_t file_page, struct csd_page_range *range) {
  const struct csd_index_frame *frame = cached_frame(index, lba);
  if (frame == NULL) {
    return false;
  }
  const uint32_t i = (uint32_t)(lba % CSD_GROUP_LBAS);
  const struct csd_page_index_slot *slot = &frame->slots[i];
  const uint32_t sequence = GET(sequence);
  if ((sequence & (CHANGING | PRESENT)) != PRESENT || GET(stamp) != stamp ||
      GET(file_page) != file_page) {
    return false;
  }
  get_range(frame, i, range);
  /* If the entry changed meanwhile, it counts as unknown, and the caller reads the page. */
  return atomic_load_explicit(&slot->sequence, memory_order_relaxed) == sequence;
}

void csd_page_index_prefetch(const struct csd_page_index *index, uint64_t lba) {
  if (lba >= index->lba_count) {
    return;
  }
  const uint32_t mapped =
      atomic_load_explicit(&index->map[lba / CSD_GROUP_LBAS], memory_order_acquire);
  if (mapped != 0) {
    const struct csd_page_index_slot *slot = &index->frames[mapped - 1].slots[lba % CSD_GROUP_LBAS];
    __builtin_prefetch(slot);
    __builtin_prefetch(slot + 1);
  }
}

bool csd_page_index_has(struct csd_page_index *index, uint64_t lba, uint64_t stamp,
                        uint32_t file_page) {
  const uint64_t number = lba / CSD_GROUP_LBAS;
  if (lba < index->lba_count &&
      atomic_load_explicit(&index->map[number], memory_order_acquire) == 0 &&
      number < atomic_load_explicit(&index->stored_groups, memory_order_acquire)) {
    return true;
  }
  struct csd_page_range range;
  return csd_page_index_peek(index, lba, stamp, file_page, &range);
}

void csd_page_index_flush(struct csd_page_index *index) {
  pthread_mutex_lock(&index->lock);
  for (uint64_t i = 0; i < index->touched && index->file.writing; i++) {
    write_back(index, &index->frames[i]);
  }
  const int file = index->file.writing ? csd_index_file_to_sync(&index->file) : -1;
  pthread_mutex_unlock(&index->lock);
  if (file >= 0 && csd_index_file_sync(file) < 0) {
    pthread_mutex_lock(&index->lock);
    abandon(index);
    pthread_mutex_unlock(&index->lock);
  }
}

void csd_page_index_attach(struct csd_page_index *index, struct csd_store *store, bool writing) {
  pthread_mutex_lock(&index->lock);
  csd_index_file_close(&index->file, false);
  csd_index_file_open(&index->file, store, writing);
  if (index->file.file < 0) {
    index->file.writing = false;
  } else if (writing && !index->file.was_closed) {
    index->rebuilt = csd_index_rebuild(&index->file, store, index->group, index->page);
  }
  note_groups(index);
  for (uint64_t i = 0; i < index->touched; i++) {
    if (index->frames[i].taken) {
      read_group(index, index->frames[i].group);
      fill_frame(index, &index->frames[i]);
      index->frames[i].dirty = writing; /* what was loaded before is not on the store yet */
    }
  }
  pthread_mutex_unlock(&index->lock);
}

/* Whether no entry is pending, here or on the store. */
static bool is_complete(const struct csd_page_index *index) {
  uint64_t pending = index->rebuilt.complete ? 0 : 1;
  for (uint64_t i = 0; i < index->touched; i++) {
    for (uint32_t w = 0; w < CSD_GROUP_WORDS; w++) {
      pending |= index->frames[i].noted[w];
    }
  }
  return pending == 0;
}

void csd_page_index_close(struct csd_page_index *index) {
  if (index->frames != NULL && index->page != NULL && index->group != NULL) {
    for (uint64_t i = 0; i < index->touched && index->file.writing; i++) {
      write_back(index, &index->frames[i]);
    }
    csd_index_file_close(&index->file, index->file.writing && is_complete(index));
  }
  /* What the next device will touch first is kept for it. */
  csd_lazy_keep(index->frames, index->frame_count, sizeof *index->frames,
                index->touched * sizeof *index->frames);
  csd_lazy_keep((void *)index->map, index->group_count, sizeof *index->map, sizeof *index->map);
  csd_lazy_keep((void *)index->asked, index->group_count, sizeof *index->asked,
                sizeof *index->asked);
  free(index->group);
  free(index->page);
  index->frames = NULL, index->map = NULL, index->asked = NULL, index->group = NULL,
  index->page = NULL;
  pthread_mutex_destroy(&index->lock);
}

void csd_page_index_add_counts(struct csd_page_index *index, struct csd_device_stats *stats) {
  pthread_mutex_lock(&index->lock);
  stats->index_loads += index->loads;
  stats->index_rebuilt += index->rebuilt.entries;
  pthread_mutex_unlock(&index->lock);
}

uint64_t csd_page_index_bytes(const struct csd_page_index *index) {
  const uint64_t group_bytes = sizeof *index->map + sizeof *index->asked;
  return index->frame_count * sizeof *index->frames + index->group_count * group_bytes +
         sizeof *index->group + CSD_INDEX_PAGE_BYTES;
}
