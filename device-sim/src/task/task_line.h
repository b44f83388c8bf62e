/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The line of windows that wait for a core of the device: how many may, which are refused, whose
 * turn it is. It is Summarizer's task queue (Koo et al., MICRO 2017, 3.2). The device keeps one
 * with threads (device/run/task.c), the timing model one with cores of its own clock
 * (model/model_task.c): both decide with this code. The caller keeps threads apart.
 */
#ifndef CSD_TASK_LINE_H
#define CSD_TASK_LINE_H

#include <stdbool.h>
#include <stdint.h>

/** A window of a task. */
struct csd_task_window {
  uint32_t min_doc; /* the model's: which fetch it is */
  uint32_t limit_doc;
  uint32_t min_score_bits; /* bits of the float that hits score at least; 0: any */
  uint64_t waits_from;     /* ns; 0: it found no other waiting */
};

/** The windows of a task that wait, in order. */
struct csd_task_ring {
  struct csd_task_window *windows; /* of the caller, room for `limit` */
  uint32_t limit;                  /* windows that may wait */
  uint32_t first, count;
  uint32_t at_once; /* windows of the task that may run at once */
  uint32_t running;
  bool dynamic; /* a window that finds no room is the host's; else it waits outside */
  bool in_line;
  struct csd_task_ring *next;
  void *owner;
};

struct csd_task_line {
  struct csd_task_ring *first, *last; /* tasks that have windows to run, in turn */
  uint32_t waiting, limit;            /* windows of all tasks */
  uint32_t raw_percent;               /* of windows that are refused at random */
  uint32_t dice;
};

/** What becomes of a window that is offered. */
enum csd_task_place {
  CSD_TASK_PLACE_TAKEN,
  CSD_TASK_PLACE_RAW,  /* the host's: there is no room */
  CSD_TASK_PLACE_WAITS /* there is no room; to be offered again */
};

/** Whether so many windows wait that none of any task finds room. */
static inline bool csd_task_line_is_full(const struct csd_task_line *line) {
  return line->waiting >= line->limit;
}

/** Offers a window behind those of its task. */
enum csd_task_place csd_task_line_offer(struct csd_task_line *line, struct csd_task_ring *ring,
                                        const struct csd_task_window *window);

/**
 * Begins the window whose turn it is: the first of the first task, which goes to the end of the
 * line. From now on it waits no longer.
 *
 * @return its task; NULL: none waits that may run
 */
struct csd_task_ring *csd_task_line_take(struct csd_task_line *line,
                                         struct csd_task_window *window);

/** Ends a window that was taken. Returns whether the task has come to stand in line by that. */
bool csd_task_line_end(struct csd_task_line *line, struct csd_task_ring *ring);

/** Drops the windows of a task that wait; returns how many they were. */
uint32_t csd_task_line_drop(struct csd_task_line *line, struct csd_task_ring *ring);

#endif
