/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Runs plans: those of SUBMIT, and the windows of tasks. */
#ifndef CSD_RUN_H
#define CSD_RUN_H

#include "device/run/device_parts.h"

/** The command has not ended, but the budget is used up. */
#define CSD_COMMAND_PENDING 1

/** Pages that one run of csd_queue_ask() asks for at most, whatever its caller says. */
enum { CSD_MAX_ASKED_PAGES = 256 };

/** Asks for pages that a plan to come will read, unless the first one is in device memory. */
void csd_run_ask_ahead(struct csd_queue *queue, uint64_t lba, uint64_t count);

/** Runs SUBMIT as csd_command_run (command.h), after the check of the fields. */
int csd_run_submit(struct csd_queue *queue, const struct csd_submission *command, uint64_t *budget,
                   uint32_t *dw0);

/**
 * Runs a window of a task on this queue, which is the caller's alone, to its end.
 *
 * @param plan_bytes  of the plan at the begin of the session's grant
 * @param room        bytes of the session's working memory, the plan included
 * @param cancelled   looked at now and then: ends it with ABORTED
 * @return 0, with the result page in the session, or a negated status
 */
int csd_run_window(struct csd_queue *queue, struct csd_session *session, uint32_t plan_bytes,
                   uint32_t room, const atomic_bool *cancelled);

/** Whether the commands of a queue that wait are to end, and how. @return 0, -CLOSED or -ABORTED */
int csd_run_stopped(const struct csd_queue *queue);

/** Bytes of a plan in a grant: programs begin behind it, aligned. */
uint32_t csd_run_plan_room(uint32_t plan_bytes);

/** Ends the program that runs, if any: unpins its pages, releases its live docs and its session. */
void csd_run_end(struct csd_queue *queue);

#endif
