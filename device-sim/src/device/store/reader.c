/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/store/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/timed_wait.h"

enum { NONE = CSD_READER_SLOTS, BUFFER_ALIGNMENT = 4096 };

enum { NS_A_SECOND = 1000000000 };

static uint16_t *list_of(struct csd_reader *r, uint64_t lba) {
  return &r->lists[lba % CSD_READER_LISTS];
}

static uint8_t *buffer_of(const struct csd_reader *r, uint16_t slot) {
  return r->buffers + (size_t)slot * CSD_PAGE_BYTES;
}

bool csd_reader_open(struct csd_reader *r, int file, enum csd_read_way way, uint64_t bytes_per_s) {
  *r =
      (struct csd_reader){.file = file, .bytes_per_s = bytes_per_s, .free_count = CSD_READER_SLOTS};
  r->buffers = aligned_alloc(BUFFER_ALIGNMENT, (size_t)CSD_READER_SLOTS * CSD_PAGE_BYTES);
  r->jobs = r->buffers == NULL ? NULL : csd_read_jobs_open(way, CSD_READER_SLOTS);
  if (r->jobs == NULL) {
    free(r->buffers);
    return false;
  }
  for (uint16_t i = 0; i < CSD_READER_SLOTS; i++) {
    r->slots[i].next = (uint16_t)(i + 1u);
    r->runs[i].next_free = (uint16_t)(i + 1u);
  }
  for (int i = 0; i < CSD_READER_LISTS; i++) {
    r->lists[i] = NONE;
  }
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->changed, NULL);
  return true;
}

/* Counts a slot to an owner, or away from him. */
static void hold(struct csd_reader *r, uint16_t owner, int more) {
  const bool held = r->held[owner] > 0;
  r->held[owner] = (uint16_t)(r->held[owner] + more);
  if (owner != CSD_READER_NOBODY) {
    r->active_owners += (r->held[owner] > 0) - held;
  }
}

static uint16_t find(struct csd_reader *r, uint64_t lba) {
  uint16_t slot = *list_of(r, lba);
  while (slot != NONE && r->slots[slot].lba != lba) {
    slot = r->slots[slot].next;
  }
  return slot;
}

/* Takes a slot out of its list. */
static void unlink_slot(struct csd_reader *r, uint16_t slot) {
  uint16_t *link = list_of(r, r->slots[slot].lba);
  while (*link != slot) {
    link = &r->slots[*link].next;
  }
  *link = r->slots[slot].next;
}

static void free_slot(struct csd_reader *r, uint16_t slot) {
  struct csd_read_slot *s = &r->slots[slot];
  hold(r, s->owner, -1);
  s->state = CSD_SLOT_FREE;
  s->next = r->free_slots;
  r->free_slots = slot;
  r->free_count++;
}

static uint64_t now_ns(void) { return csd_clock_ns(CLOCK_MONOTONIC); }

/* When bytes that the drive has read have passed, if it is slowed; else 0. */
static uint64_t pass(struct csd_reader *r, uint64_t bytes) {
  if (r->bytes_per_s == 0) {
    return 0;
  }
  const uint64_t now = now_ns();
  r->busy_until =
      (r->busy_until > now ? r->busy_until : now) + bytes * NS_A_SECOND / r->bytes_per_s;
  return r->busy_until;
}

/* Waits until a time. The caller holds the lock, which others may have meanwhile. @return whether
   that took any */
static bool wait_until(struct csd_reader *r, uint64_t due) {
  if (due == 0 || now_ns() >= due) {
    return false;
  }
  pthread_mutex_unlock(&r->lock);
  csd_wait_until(due);
  pthread_mutex_lock(&r->lock);
  return true;
}

/* A read has ended: its pages have arrived, as far as they were read whole. */
static void end_run(struct csd_reader *r, struct csd_read_run *run) {
  const uint64_t bytes = run->job.result < 0 ? 0 : (uint64_t)run->job.result;
  const uint32_t whole = (uint32_t)(bytes / CSD_PAGE_BYTES);
  const uint64_t due = pass(r, bytes);
  for (int i = 0; i < run->job.piece_count; i++) {
    struct csd_read_slot *s = &r->slots[run->slots[i]];
    r->under_way--;
    s->state = CSD_SLOT_ARRIVED;
    s->due = due;
    if (s->forgotten) {
      free_slot(r, run->slots[i]); /* it is in no list */
    } else if ((uint32_t)i >= whole) {
      unlink_slot(r, run->slots[i]);
      free_slot(r, run->slots[i]);
    }
  }
  run->next_free = r->free_runs;
  r->free_runs = (uint16_t)(run - r->runs);
}

/* Sees to reads that have ended; if `wait`, to one at least. One thread at a time asks the system;
   others wait for what it finds. The caller holds the lock. */
static void reap(struct csd_reader *r, bool wait) {
  if (r->reaping) {
    if (wait) {
      pthread_cond_wait(&r->changed, &r->lock);
    }
    return;
  }
  struct csd_read_job *job = csd_read_jobs_reap(r->jobs, false);
  if (job == NULL && wait) {
    r->reaping = true;
    pthread_mutex_unlock(&r->lock);
    job = csd_read_jobs_reap(r->jobs, true);
    pthread_mutex_lock(&r->lock);
    r->reaping = false;
  }
  const bool some = job != NULL;
  while (job != NULL) {
    end_run(r, (struct csd_read_run *)job);
    job = csd_read_jobs_reap(r->jobs, false);
  }
  if (some || wait) {
    pthread_cond_broadcast(&r->changed);
  }
}

void csd_reader_close(struct csd_reader *r) {
  pthread_mutex_lock(&r->lock);
  while (r->under_way > 0) {
    reap(r, true);
  }
  pthread_mutex_unlock(&r->lock);
  csd_read_jobs_close(r->jobs);
  pthread_cond_destroy(&r->changed);
  pthread_mutex_destroy(&r->lock);
  free(r->buffers);
}

/* Frees the slot of an owner that was asked for longest ago, if one has arrived. */
static bool recycle(struct csd_reader *r, uint16_t owner) {
  uint16_t oldest = NONE;
  for (uint16_t i = 0; i < CSD_READER_SLOTS && r->held[owner] > 0; i++) {
    const struct csd_read_slot *s = &r->slots[i];
    if (s->state == CSD_SLOT_ARRIVED && s->owner == owner &&
        (oldest == NONE || s->asked < r->slots[oldest].asked)) {
      oldest = i;
    }
  }
  if (oldest == NONE) {
    return false;
  }
  unlink_slot(r, oldest);
  free_slot(r, oldest);
  return true;
}

/* The owner that has most slots, if that is more than a share. */
static uint16_t greediest(const struct csd_reader *r, uint32_t share) {
  uint16_t most = CSD_READER_NOBODY;
  for (uint16_t i = 0; i < CSD_READER_OWNERS; i++) {
    if (r->held[i] > share && (most == CSD_READER_NOBODY || r->held[i] > r->held[most])) {
      most = i;
    }
  }
  return most;
}

/* Finds room for a page of an owner. */
static bool make_room(struct csd_reader *r, uint16_t owner) {
  const uint32_t owners = r->active_owners + (r->held[owner] == 0);
  const uint32_t share = CSD_READER_SLOTS / owners;
  if (r->held[owner] >= share) {
    return recycle(r, owner);
  }
  return r->free_count > 0 || recycle(r, CSD_READER_NOBODY) || recycle(r, greediest(r, share));
}

static uint16_t take_slot(struct csd_reader *r, uint16_t owner, uint64_t lba) {
  const uint16_t slot = r->free_slots;
  r->free_slots = r->slots[slot].next;
  r->free_count--;
  uint16_t *list = list_of(r, lba);
  r->slots[slot] = (struct csd_read_slot){
      .state = CSD_SLOT_UNDER_WAY, .next = *list, .owner = owner, .lba = lba, .asked = r->asked++};
  *list = slot;
  hold(r, owner, 1);
  r->under_way++;
  r->counts.deepest = r->under_way > r->counts.deepest ? r->under_way : r->counts.deepest;
  return slot;
}

/* Begins a read of pages from `lba` on, as many as there is room for and none is read. */
static uint32_t begin_run(struct csd_reader *r, uint16_t owner, uint64_t lba, uint32_t count) {
  if (!make_room(r, owner)) {
    return 0;
  }
  struct csd_read_run *run = &r->runs[r->free_runs];
  uint32_t pages = 0;
  do {
    const uint16_t slot = take_slot(r, owner, lba + pages);
    run->slots[pages] = slot;
    run->job.pieces[pages] =
        (struct iovec){.iov_base = buffer_of(r, slot), .iov_len = CSD_PAGE_BYTES};
    pages++;
  } while (pages < count && pages < CSD_JOB_PIECES && find(r, lba + pages) == NONE &&
           make_room(r, owner));
  r->free_runs = run->next_free;
  run->job.file = r->file;
  run->job.at = lba * CSD_LBA_BYTES;
  run->job.piece_count = (int)pages;
  csd_read_jobs_submit(r->jobs, &run->job);
  r->counts.runs++;
  return pages;
}

uint32_t csd_reader_ask(struct csd_reader *r, uint32_t owner, uint64_t lba, uint32_t count) {
  const uint16_t number = (uint16_t)(owner % CSD_READER_OWNERS);
  uint32_t done = 0;
  pthread_mutex_lock(&r->lock);
  reap(r, false);
  while (done < count) {
    const uint32_t more =
        find(r, lba + done) != NONE ? 1 : begin_run(r, number, lba + done, count - done);
    if (more == 0) {
      break;
    }
    done += more;
  }
  csd_read_jobs_send(r->jobs);
  pthread_mutex_unlock(&r->lock);
  return done;
}

bool csd_reader_take(struct csd_reader *r, uint64_t lba, uint8_t *page) {
  bool taken = false;
  pthread_mutex_lock(&r->lock);
  for (uint16_t slot; !taken && (slot = find(r, lba)) != NONE;) {
    if (r->slots[slot].state == CSD_SLOT_ARRIVED) {
      if (wait_until(r, r->slots[slot].due)) {
        continue; /* the slot may be another's */
      }
      memcpy(page, buffer_of(r, slot), CSD_PAGE_BYTES);
      unlink_slot(r, slot);
      free_slot(r, slot);
      r->counts.taken++;
      taken = true;
    } else {
      reap(r, true);
    }
  }
  pthread_mutex_unlock(&r->lock);
  return taken;
}

void csd_reader_pass(struct csd_reader *r, uint64_t bytes) {
  if (r->bytes_per_s != 0) {
    pthread_mutex_lock(&r->lock);
    (void)wait_until(r, pass(r, bytes));
    pthread_mutex_unlock(&r->lock);
  }
}

void csd_reader_forget(struct csd_reader *r, uint64_t lba) {
  pthread_mutex_lock(&r->lock);
  const uint16_t slot = find(r, lba);
  if (slot != NONE) {
    unlink_slot(r, slot);
    if (r->slots[slot].state == CSD_SLOT_ARRIVED) {
      free_slot(r, slot);
    } else {
      r->slots[slot].forgotten = true;
    }
  }
  pthread_mutex_unlock(&r->lock);
}

void csd_reader_leave(struct csd_reader *r, uint32_t owner) {
  const uint16_t number = (uint16_t)(owner % CSD_READER_OWNERS);
  pthread_mutex_lock(&r->lock);
  for (uint16_t i = 0; i < CSD_READER_SLOTS && r->held[number] > 0; i++) {
    if (r->slots[i].state != CSD_SLOT_FREE && r->slots[i].owner == number) {
      hold(r, number, -1);
      r->slots[i].owner = CSD_READER_NOBODY;
      hold(r, CSD_READER_NOBODY, 1);
    }
  }
  pthread_mutex_unlock(&r->lock);
}

struct csd_reader_counts csd_reader_look(struct csd_reader *r) {
  pthread_mutex_lock(&r->lock);
  const struct csd_reader_counts counts = r->counts;
  pthread_mutex_unlock(&r->lock);
  return counts;
}
