/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "task/task_line.h"

#include <stddef.h>

static bool join(struct csd_task_line *line, struct csd_task_ring *ring) {
  if (ring->in_line || ring->running >= ring->at_once || ring->count == 0) {
    return false;
  }
  ring->in_line = true;
  ring->next = NULL;
  if (line->last != NULL) {
    line->last->next = ring;
  } else {
    line->first = ring;
  }
  line->last = ring;
  return true;
}

static void leave(struct csd_task_line *line, struct csd_task_ring *ring) {
  struct csd_task_ring *before = NULL;
  if (!ring->in_line) {
    return;
  }
  for (struct csd_task_ring *at = line->first; at != ring; at = at->next) {
    before = at;
  }
  if (before != NULL) {
    before->next = ring->next;
  } else {
    line->first = ring->next;
  }
  if (line->last == ring) {
    line->last = before;
  }
  ring->in_line = false;
}

/* Whether a window is refused though there is room for it. */
static bool refuses(struct csd_task_line *line) {
  line->dice = line->dice * 1664525u + 1013904223u;
  return (line->dice >> 16) % 100u < line->raw_percent;
}

enum csd_task_place csd_task_line_offer(struct csd_task_line *line, struct csd_task_ring *ring,
                                        const struct csd_task_window *window) {
  if (ring->count >= ring->limit || csd_task_line_is_full(line) ||
      (ring->dynamic && refuses(line))) {
    return ring->dynamic ? CSD_TASK_PLACE_RAW : CSD_TASK_PLACE_WAITS;
  }
  ring->windows[(ring->first + ring->count) % ring->limit] = *window;
  ring->count++;
  line->waiting++;
  join(line, ring);
  return CSD_TASK_PLACE_TAKEN;
}

struct csd_task_ring *csd_task_line_take(struct csd_task_line *line,
                                         struct csd_task_window *window) {
  struct csd_task_ring *const ring = line->first;
  if (ring == NULL) {
    return NULL;
  }
  leave(line, ring);
  *window = ring->windows[ring->first];
  ring->first = (ring->first + 1) % ring->limit;
  ring->count--;
  ring->running++;
  line->waiting--;
  join(line, ring);
  return ring;
}

bool csd_task_line_end(struct csd_task_line *line, struct csd_task_ring *ring) {
  ring->running--;
  return join(line, ring);
}

uint32_t csd_task_line_drop(struct csd_task_line *line, struct csd_task_ring *ring) {
  const uint32_t count = ring->count;
  leave(line, ring);
  line->waiting -= count;
  ring->count = 0;
  return count;
}
