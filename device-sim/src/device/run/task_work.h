/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What a task does, be it a plan or a program of the device's own. task.c says when. */
#ifndef CSD_TASK_WORK_H
#define CSD_TASK_WORK_H

#include "device/run/device_parts.h"

/** Begins the task of an INIT_TSK in an acquired session. @return 0, or a negated status */
int csd_task_work_begin(struct csd_queue *queue, struct csd_session *session,
                        const struct csd_submission *command);

/**
 * Runs a window; the task is this thread's meanwhile.
 *
 * @param no_room  set if what the windows have come to has no room on one page
 * @return 0, or a negated status
 */
int csd_task_work_run(struct csd_queue *queue, struct csd_session *session,
                      const struct csd_task_window *window, bool *no_room);

/** Leaves what all windows have come to as the session's result page. @return as above */
int csd_task_work_leave(struct csd_session *session);

#endif
