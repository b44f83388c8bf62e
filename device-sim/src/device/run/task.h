/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Tasks: plans that are run window by window, on threads of the device's own (Koo et al.,
 * "Summarizer", MICRO 2017, 3.2). A window of docs that finds no room in the task queue goes back
 * to the host raw. The windows of one session run one after the other, those of different sessions
 * on as many threads as the device has, in turn.
 */
#ifndef CSD_TASK_H
#define CSD_TASK_H

#include "device/run/device_parts.h"

/**
 * @param threads  0: one
 * @param windows  that may wait at once, of all sessions; 0: two a thread
 */
void csd_tasks_open(struct csd_tasks *tasks, uint32_t threads, uint32_t windows,
                    uint32_t raw_percent);

/** Ends the threads. The device is closing: nobody begins anything. */
void csd_tasks_stop(struct csd_tasks *tasks);
/** After csd_tasks_stop, when no thread is inside a command. */
void csd_tasks_close(struct csd_tasks *tasks);

/** Ends the task of a session, if it has one, and releases it. For CLOSE, and for aborts. */
void csd_task_cancel(struct csd_device *device, uint32_t session);

void csd_tasks_get_stats(struct csd_tasks *tasks, struct csd_task_stats *stats);

/* The commands, after the check of what their dwords say by themselves; as csd_command_run. */
int csd_task_init(struct csd_queue *queue, const struct csd_submission *command);
int csd_task_take(struct csd_queue *queue, const struct csd_submission *command, uint64_t budget,
                  uint32_t *dw0);
int csd_task_filter(struct csd_queue *queue, const struct csd_submission *command, uint64_t budget,
                    uint32_t *dw0);
int csd_task_final(struct csd_queue *queue, const struct csd_submission *command, uint64_t budget,
                   uint32_t *dw0);

/**
 * Gives the page that READ_FILT left in a session whose task goes on.
 *
 * @return its bytes, to be read until csd_task_page_end; -1: the session has no such page
 */
int64_t csd_task_page_begin(struct csd_device *device, uint32_t session, const uint8_t **page);
void csd_task_page_end(struct csd_device *device, uint32_t session);

#endif
