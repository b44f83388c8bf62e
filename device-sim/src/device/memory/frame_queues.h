/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Which page leaves device memory for another: S3-FIFO (Yang et al., "FIFO queues are all you need
 * for cache eviction", SOSP 2023). New pages wait in a small queue, a tenth of the frames, which
 * they leave in the order they came: into the main queue if they were used twice more meanwhile,
 * else out of memory. One that comes back soon after that goes to the main queue at once. So pages
 * that are read once, however many, take a tenth of the memory from those that are used again. A
 * page leaves the main queue, first in first out, unless it was used since it last came to the
 * front.
 *
 * Pins take no lock and touch no queue: they count up to three uses in the frame's state. Only to
 * find a frame for a load takes a lock, for a few steps.
 */
#ifndef CSD_FRAME_QUEUES_H
#define CSD_FRAME_QUEUES_H

#include <pthread.h>
#include <stdbool.h>

#include "device/memory/frame_state.h"

/** Most frames of a pool: the map has 31 bits for their numbers. */
#define CSD_MAX_FRAMES ((UINT64_C(1) << 31) - 2)

/**
 * Where an LBA's page is: 0: unknown; up to CSD_MAX_FRAMES: in the frame of that number less 1;
 * with this bit: nowhere, and the rest says when it left the small queue, in pages that did.
 */
#define CSD_MAP_GONE (UINT32_C(1) << 31)

/** Frames of a queue, linked from the one that came first. */
struct csd_frame_queue {
  uint32_t first, last;
  uint64_t count;
};

struct csd_frame_queues {
  struct csd_frame *frames;
  _Atomic uint32_t *map; /* by LBA */
  uint64_t frame_count;
  pthread_mutex_t lock; /* guards what follows */
  uint32_t *next;       /* by frame: the one behind it in its queue */
  uint64_t fresh;       /* the first frame that was never used */
  struct csd_frame_queue small, main;
  uint64_t small_target; /* frames that the small queue keeps */
  uint32_t left_small;   /* pages that have left it for good, in 31 bits */
};

/**
 * @param frames  frame_count of them, zeros; outlive the queues, as `map` does
 * @return whether there was memory
 */
bool csd_frame_queues_open(struct csd_frame_queues *queues, struct csd_frame *frames,
                           uint64_t frame_count, _Atomic uint32_t *map);
void csd_frame_queues_close(struct csd_frame_queues *queues);

/** Frames from the first on that may have been touched. Nobody takes one meanwhile. */
uint64_t csd_frame_queues_touched(const struct csd_frame_queues *queues);

/** A frame that was taken for a load. */
struct csd_frame_taken {
  uint64_t frame;
  bool fresh;   /* it was never used before */
  bool evicted; /* it held a page: */
  uint64_t lba; /* the page's LBA, which the map no longer leads to the frame */
};

/**
 * Takes a frame for the page of an LBA: with one pin, and not valid.
 *
 * @return whether there is one that is not pinned
 */
bool csd_frame_queues_take(struct csd_frame_queues *queues, uint64_t lba,
                           struct csd_frame_taken *taken);

#endif
