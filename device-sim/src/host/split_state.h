/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The parts of the host's half: what is in a split, and its steps. split.c leads from one state to
 * the next; split_commands.c sends commands; split_read.c, split_compute.c and split_gather.c are
 * READ, COMPUTE and GATHER.
 */
#ifndef CSD_SPLIT_STATE_H
#define CSD_SPLIT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "csd/csd_split.h"
#include "device/gather/gather.h"

/** Windows that a plan is cut into at most. */
enum { CSD_SPLIT_MAX_WINDOWS = 256 };

enum csd_split_state {
  IDLE,
  BEGIN,     /* INIT_TSK is to be sent */
  BEGINNING, /* INIT_TSK is under way */
  OFFER,     /* the next window to the device */
  OFFERING,  /* READ_PROC is under way */
  COMPUTE,   /* a window on this thread */
  FINISH,    /* FINAL is to be sent */
  FINISHING, /* FINAL is under way */
  GATHER,    /* what FINAL left is to be fetched */
  GATHERING, /* FETCH is under way */
  GIVE_UP,   /* FINAL is to be sent, since what the windows came to has no room on one page */
  GIVING_UP, /* this FINAL is under way */
  LEFT,      /* windows that the device has not done, one after the other */
  UNCUT,     /* the plan as it is, on this thread */
};

struct csd_split_window {
  uint32_t min_doc, limit_doc;
};

struct csd_split {
  struct csd_queue *queue;
  uint32_t device_session;
  uint32_t host_session;
  enum csd_split_state state;
  bool in_task;
  bool elsewhere;              /* the device's half of the work is not in this process */
  struct csd_submission asked; /* elsewhere: the command that the caller is to send */
  bool answered;               /* and whether it has */
  uint32_t answer;             /* dw0 */
  bool pages_asked;            /* elsewhere: the caller was told that the host needs the pages */
  uint32_t plan_bytes, waiting;
  uint32_t page_left_bytes; /* by FINAL */
  uint32_t mode;
  uint32_t min_doc, limit_doc;
  uint32_t window_docs;
  uint32_t next_doc;           /* windows begin here that nobody has got */
  struct csd_split_window now; /* that is offered or computed */
  uint32_t taken;              /* by the device, in `windows` */
  uint32_t left;               /* LEFT: the next of these */
  struct csd_split_window windows[CSD_SPLIT_MAX_WINDOWS];
  struct csd_gather gather;
  struct csd_split_counts counts;
  uint32_t uncut_bytes; /* of the plan */
  uint32_t extents_at;  /* where they are in it */
  uint32_t page_bytes;  /* room of each of the pages */
  uint8_t *plan;        /* CSD_MAX_PLAN_BYTES and what it may grow by */
  uint8_t *page, *part, *scratch;
};

/**
 * A command of the host's own, or NULL to go on with it.
 *
 * @return 0, 1 if there is more to do, or a negated status
 */
int csd_split_run(struct csd_split *split, const struct csd_submission *command, uint64_t budget,
                  uint32_t *dw0);

/** The same to its end: of a command that does not wait. */
int csd_split_run_whole(struct csd_split *split, const struct csd_submission *command,
                        uint32_t *dw0);

/**
 * A command to the device, or NULL to go on with it: here, or by way of the caller.
 *
 * @return as csd_split_run, or CSD_SPLIT_COMMAND
 */
int csd_split_run_on_device(struct csd_split *split, const struct csd_submission *command,
                            uint64_t budget, uint32_t *dw0);

/** FETCH of so many bytes into `part`. */
struct csd_submission csd_split_fetch_of(const struct csd_split *split, uint32_t session,
                                         uint32_t bytes);

/** Ends the task, whose windows are of no use any more. */
void csd_split_end_task(struct csd_split *split);

/** The host runs the plan as it is, once the task has ended. */
void csd_split_begin_uncut(struct csd_split *split);

/* The steps: each does some of its work, and sets the next state when it is done. They return 0, 1
   if there is more to do, a negated status, or what csd_split_step wants of its caller. */

int csd_split_begin_task(struct csd_split *split, uint64_t budget);

/** Offers the next window, or goes on with an offer. */
int csd_split_offer(struct csd_split *split, uint64_t budget);

/** Runs the window `now` on this thread, or the whole plan, or goes on with it. */
int csd_split_compute(struct csd_split *split, uint64_t budget);

/** Ends the task; what a window failed by is found out when the host runs it. */
int csd_split_finish(struct csd_split *split, uint64_t budget);

/** Fetches what the device's windows have come to, and adds it. */
int csd_split_gather(struct csd_split *split, uint64_t budget);

/** Ends the task, for a plan that is run uncut. */
int csd_split_give_up(struct csd_split *split, uint64_t budget);

#endif
