/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Pages that are read before they are used, where the system's cache is not to keep them: into
 * slots of the reader's own, from which a load takes them. What nobody takes costs no page of
 * device memory its place.
 *
 * Plans share the slots fairly: one that asks for more than its share gives up the pages that it
 * asked for longest ago and passed over, and gets no more if it uses all. A plan that is alone may
 * have them all. Slots of plans that have ended go first.
 *
 * What could not be read, or not in full, is as if nobody had asked: the load reads it itself, and
 * says why it fails.
 *
 * Threads: all functions but open and close may run at the same time.
 */
#ifndef CSD_READER_H
#define CSD_READER_H

#include <pthread.h>

#include "base/read_jobs.h"
#include "csd/csd_wire.h"

enum {
  CSD_READER_SLOTS = 256, /* pages */
  CSD_READER_OWNERS = 64, /* plans that have a share each; others share theirs */
  CSD_READER_LISTS = 256, /* of slots, by LBA */
  CSD_READER_NOBODY = CSD_READER_OWNERS,
};

enum csd_slot_state { CSD_SLOT_FREE, CSD_SLOT_UNDER_WAY, CSD_SLOT_ARRIVED };

struct csd_read_slot {
  enum csd_slot_state state;
  bool forgotten; /* what comes is not wanted any more */
  uint16_t next;  /* in its list, or of the free ones; CSD_READER_SLOTS: none */
  uint16_t owner;
  uint64_t lba;
  uint64_t asked; /* when, in pages asked for before */
  uint64_t due;   /* on a slowed drive: when it has come, in ns */
};

/** One read of LBAs that lie together. */
struct csd_read_run {
  struct csd_read_job job; /* first: a job is its run */
  uint16_t slots[CSD_JOB_PIECES];
  uint16_t next_free;
};

struct csd_reader_counts {
  uint64_t taken;   /* pages that a load found read, or under way */
  uint64_t runs;    /* reads */
  uint32_t deepest; /* most pages that were under way at once */
};

struct csd_reader {
  struct csd_read_jobs *jobs;
  int file;
  uint64_t bytes_per_s; /* of a drive that is slowed; 0: as fast as it is */
  uint8_t *buffers;     /* a page a slot */
  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t changed;
  bool reaping; /* a thread is waiting for the system */
  uint32_t under_way, active_owners;
  uint64_t asked;
  uint64_t busy_until;            /* the slowed drive, in ns */
  uint16_t free_slots, free_runs; /* the first ones */
  uint16_t free_count;
  uint16_t held[CSD_READER_OWNERS + 1];
  uint16_t lists[CSD_READER_LISTS];
  struct csd_read_slot slots[CSD_READER_SLOTS];
  struct csd_read_run runs[CSD_READER_SLOTS];
  struct csd_reader_counts counts;
};

/**
 * @param file         to read; its number does not change
 * @param bytes_per_s  0, or what the drive gives at most: reads pass one after the other
 * @return whether there is a way to read without waiting, and memory
 */
bool csd_reader_open(struct csd_reader *reader, int file, enum csd_read_way way,
                     uint64_t bytes_per_s);

/** Waits for what is under way. */
void csd_reader_close(struct csd_reader *reader);

/**
 * Begins to read LBAs, but those that are read already. Does not wait.
 *
 * @param owner  number of the plan's queue, any
 * @param count  most LBAs
 * @return how many, from the first on, are read or under way; fewer than `count` if there is no
 *         room
 */
uint32_t csd_reader_ask(struct csd_reader *reader, uint32_t owner, uint64_t lba, uint32_t count);

/** Gives a page that was asked for, and waits for it. @return false if it has to be read */
bool csd_reader_take(struct csd_reader *reader, uint64_t lba, uint8_t *page);

/** Has bytes that were read without being asked for pass a slowed drive, and waits for them. */
void csd_reader_pass(struct csd_reader *reader, uint64_t bytes);

/** Forgets an LBA that has been written or trimmed. */
void csd_reader_forget(struct csd_reader *reader, uint64_t lba);

/** Says that a plan has ended. */
void csd_reader_leave(struct csd_reader *reader, uint32_t owner);

struct csd_reader_counts csd_reader_look(struct csd_reader *reader);

#endif
