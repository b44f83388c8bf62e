/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A split is a small state machine over a queue of its own: it offers windows, does the ones that
   are raw, and ends the task. Windows ascend on either side. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/plan/plan_check.h"
#include "csd/csd_split.h"
#include "device/gather.h"

enum { DOCS_OF_A_WORD = 64, MOST_WINDOWS = 256, QUEUE_DEPTH = 2 };

enum state {
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

struct window {
  uint32_t min_doc, limit_doc;
};

struct csd_split {
  struct csd_queue *queue;
  uint32_t device_session;
  uint32_t host_session;
  enum state state;
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
  uint32_t next_doc; /* windows begin here that nobody has got */
  struct window now; /* that is offered or computed */
  uint32_t taken;    /* by the device, in `windows` */
  uint32_t left;     /* LEFT: the next of these */
  struct window windows[MOST_WINDOWS];
  struct csd_gather gather;
  struct csd_split_counts counts;
  uint32_t uncut_bytes; /* of the plan */
  uint32_t extents_at;  /* where they are in it */
  uint32_t page_bytes;  /* room of each of the pages */
  uint8_t *plan;        /* CSD_MAX_PLAN_BYTES and what it may grow by */
  uint8_t *page, *part, *scratch;
};

static int run(struct csd_split *split, const struct csd_submission *command, uint64_t budget,
               uint32_t *dw0) {
  struct csd_completion completion;
  if (command != NULL) {
    const int submitted = csd_queue_submit(split->queue, command, 1);
    if (submitted < 0) {
      return submitted;
    }
  }
  const int count = csd_queue_poll(split->queue, &completion, 1, budget);
  if (count <= 0) {
    return count < 0 ? count : 1;
  }
  *dw0 = completion.dw0;
  return -csd_completion_status(&completion);
}

/* A command that does not wait. */
static int run_whole(struct csd_split *split, const struct csd_submission *command, uint32_t *dw0) {
  return run(split, command, CSD_BUDGET_UNLIMITED, dw0);
}

/* A command to the device, or NULL to go on with it: here, or by way of the caller. */
static int run_on_device(struct csd_split *split, const struct csd_submission *command,
                         uint64_t budget, uint32_t *dw0) {
  if (!split->elsewhere) {
    return run(split, command, budget, dw0);
  }
  if (command != NULL) {
    split->asked = *command;
    split->answered = false;
  }
  if (!split->answered) {
    return CSD_SPLIT_COMMAND;
  }
  *dw0 = split->answer;
  return 0;
}

static int open_session(struct csd_split *split, uint32_t grant_bytes, uint32_t *session) {
  const struct csd_submission open = {.opcode = CSD_OPCODE_OPEN, .nsid = 1, .cdw10 = grant_bytes};
  return run_whole(split, &open, session);
}

static int create(struct csd_device *device, uint32_t grant_bytes, bool elsewhere,
                  struct csd_split **out) {
  struct csd_split *split = calloc(1, sizeof *split);
  if (split == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "a split");
  }
  split->elsewhere = elsewhere;
  split->page_bytes = CSD_MAX_RESULT_BYTES;
  split->plan = malloc(CSD_MAX_PLAN_BYTES + CSD_GATHER_PLAN_BYTES);
  split->page = malloc(split->page_bytes);
  split->part = malloc(split->page_bytes);
  split->scratch = malloc(split->page_bytes);
  int status =
      split->plan == NULL || split->page == NULL || split->part == NULL || split->scratch == NULL
          ? csd_fail(CSD_STATUS_NO_MEMORY, "the pages of a split")
          : csd_queue_create(device, QUEUE_DEPTH, &split->queue);
  if (status == 0 && !elsewhere) {
    status = open_session(split, grant_bytes, &split->device_session);
  }
  if (status == 0) {
    status = open_session(split, grant_bytes, &split->host_session);
  }
  if (status < 0) {
    csd_split_destroy(split);
    return status;
  }
  *out = split;
  return 0;
}

int csd_split_create(struct csd_device *device, uint32_t grant_bytes, struct csd_split **split) {
  return create(device, grant_bytes, false, split);
}

int csd_split_create_elsewhere(struct csd_device *pages, uint32_t grant_bytes,
                               struct csd_split **split) {
  return create(pages, grant_bytes, true, split);
}

static void close_session(struct csd_split *split, uint32_t session) {
  const struct csd_submission close = {.opcode = CSD_OPCODE_CLOSE, .nsid = 1, .cdw10 = session};
  uint32_t dw0;
  if (session != 0) {
    (void)run_whole(split, &close, &dw0); /* fails if the device is gone, and with it the session */
  }
}

void csd_split_destroy(struct csd_split *split) {
  if (split->queue != NULL) {
    csd_split_abort(split);
    close_session(split, split->device_session);
    close_session(split, split->host_session);
    csd_queue_destroy(split->queue);
  }
  free(split->plan);
  free(split->page);
  free(split->part);
  free(split->scratch);
  free(split);
}

static struct csd_submission final_of(const struct csd_split *split, uint32_t flags) {
  return (struct csd_submission){
      .opcode = CSD_OPCODE_FINAL, .nsid = 1, .cdw10 = split->device_session, .cdw11 = flags};
}

/* Ends the task, whose windows are of no use any more. */
static void end_task(struct csd_split *split) {
  const struct csd_submission final = final_of(split, CSD_FINAL_FLAG_HAND_BACK);
  uint32_t dw0;
  if (split->in_task && !split->elsewhere) {
    (void)run_whole(split, &final, &dw0); /* fails if an abort has ended it */
  }
  split->in_task = false;
}

/* The host runs the plan as it is, once the task has ended. */
static void begin_uncut(struct csd_split *split) {
  split->counts = (struct csd_split_counts){0};
  split->uncut_bytes = csd_gather_restore(&split->gather);
  split->state = split->in_task ? GIVE_UP : UNCUT;
}

static int give_up(struct csd_split *split, uint64_t budget) {
  const struct csd_submission final = final_of(split, CSD_FINAL_FLAG_HAND_BACK);
  const bool sent = split->state == GIVING_UP;
  uint32_t bytes;
  split->state = GIVING_UP;
  const int status = run_on_device(split, sent ? NULL : &final, budget, &bytes);
  if (status <= 0) { /* whatever became of the windows */
    split->in_task = false;
    split->state = UNCUT;
  }
  return status > 0 ? status : 0;
}

/* ---- READ ---- */

int csd_split_begin(struct csd_split *split, const void *plan, uint32_t plan_bytes,
                    uint32_t windows, uint32_t mode, uint32_t waiting) {
  struct csd_plan checked;
  if (split->state != IDLE || windows == 0 || plan_bytes > CSD_MAX_PLAN_BYTES ||
      (mode != CSD_TASK_MODE_DYNAMIC && mode != CSD_TASK_MODE_STATIC)) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "a split of %u bytes in %u windows, mode %u",
                    plan_bytes, windows, mode);
  }
  csd_split_abort(split); /* what a failed plan has left */
  memcpy(split->plan, plan, plan_bytes);
  csd_trail_clear();
  const int status = csd_plan_check(split->plan, plan_bytes, split->page_bytes, &checked);
  if (status < 0) {
    return csd_fail_in(status, "a plan that is split");
  }
  const struct csd_plan_header *header = &checked.header;
  const uint32_t docs = header->limit_doc - header->min_doc;
  /* Of one side all windows are in order, so that any sums may be cut. */
  const bool in_order = mode == CSD_TASK_MODE_STATIC && header->mode != CSD_MODE_SCORED_DOCS;
  const bool cut = docs > 0 && (in_order || csd_gather_may_join(&checked));
  if (split->elsewhere && (!cut || checked.doc_sets > 0)) {
    return 1;
  }
  const uint32_t count = cut ? (windows < MOST_WINDOWS ? windows : MOST_WINDOWS) : 1;
  split->mode = mode;
  split->min_doc = split->next_doc = header->min_doc;
  split->limit_doc = header->limit_doc;
  split->window_docs =
      (docs / count + DOCS_OF_A_WORD) / DOCS_OF_A_WORD * DOCS_OF_A_WORD; /* whole words of bits */
  split->taken = split->left = 0;
  split->pages_asked = false;
  split->plan_bytes = plan_bytes;
  split->waiting = waiting;
  split->counts = (struct csd_split_counts){0};
  split->extents_at = (uint32_t)(checked.extents - split->plan);
  csd_gather_open(&split->gather, split->plan, &checked, split->page, split->page_bytes);
  if (!cut) {
    begin_uncut(split);
    return 0;
  }
  split->state = BEGIN;
  return 0;
}

static int begin_task(struct csd_split *split, uint64_t budget) {
  const struct csd_submission init = {.opcode = CSD_OPCODE_INIT_TSK,
                                      .nsid = 1,
                                      .data = (uintptr_t)split->plan,
                                      .data_bytes = split->plan_bytes,
                                      .cdw10 = split->device_session,
                                      .cdw11 = split->plan_bytes,
                                      .cdw12 = split->mode,
                                      .cdw13 = split->waiting};
  const bool sent = split->state == BEGINNING;
  uint32_t dw0;
  split->state = BEGINNING;
  const int status = run_on_device(split, sent ? NULL : &init, budget, &dw0);
  if (status == 0) {
    split->in_task = true;
    split->state = OFFER;
  }
  return status;
}

uint32_t csd_split_extents(const struct csd_split *split, const uint8_t **extents) {
  const struct csd_plan_header *header = &split->gather.header;
  *extents = split->plan + split->extents_at;
  return header->extent_count;
}

const struct csd_submission *csd_split_command(const struct csd_split *split) {
  return &split->asked;
}

int csd_split_answer(struct csd_split *split, uint32_t dw0, const void *data, uint32_t bytes) {
  if (split->answered || bytes > split->page_bytes) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "an answer of %u bytes that nobody asked for",
                    bytes);
  }
  if (bytes > 0) {
    memcpy(split->part, data, bytes);
  }
  split->answer = dw0;
  split->answered = true;
  return 0;
}

/* Bits of the score that the last of k hits in hand has; 0: there are fewer. */
static uint32_t floor_of(const struct csd_split *split) {
  const struct csd_plan_header *plan = &split->gather.header;
  struct csd_result_header found;
  uint32_t bits = 0;
  memcpy(&found, split->page, sizeof found);
  if (plan->mode == CSD_MODE_TOP_K && found.entry_count == plan->k) {
    memcpy(&bits, split->page + sizeof found + 8u * (plan->k - 1u) + 4u, sizeof bits);
  }
  return bits;
}

/* Offers the next window, or goes on with an offer. */
static int offer(struct csd_split *split, uint64_t budget) {
  uint32_t answer;
  int status;
  if (split->state == OFFER) {
    if (split->next_doc >= split->limit_doc) {
      split->state = FINISH;
      return 0;
    }
    const uint32_t rest = split->limit_doc - split->next_doc;
    const uint32_t docs = rest < split->window_docs ? rest : split->window_docs;
    split->now = (struct window){split->next_doc, split->next_doc + docs};
    split->next_doc += docs;
    const struct csd_submission read = {.opcode = CSD_OPCODE_READ_PROC,
                                        .nsid = 1,
                                        .cdw10 = split->device_session,
                                        .cdw11 = split->now.min_doc,
                                        .cdw12 = split->now.limit_doc,
                                        .cdw13 = floor_of(split)};
    split->state = OFFERING;
    status = run_on_device(split, &read, budget, &answer);
  } else {
    status = run_on_device(split, NULL, budget, &answer);
  }
  if (status != 0) {
    return status;
  }
  split->counts.windows++;
  if (answer == CSD_TASK_ANSWER_TAKEN || split->mode == CSD_TASK_MODE_STATIC) {
    split->windows[split->taken++] = split->now;
    split->state = OFFER;
  } else {
    split->counts.raw++;
    split->state = COMPUTE;
  }
  return 0;
}

/* ---- COMPUTE ---- */

static struct csd_submission fetch_of(const struct csd_split *split, uint32_t session,
                                      uint32_t bytes) {
  return (struct csd_submission){.opcode = CSD_OPCODE_FETCH,
                                 .nsid = 1,
                                 .data = (uintptr_t)split->part,
                                 .data_bytes = bytes,
                                 .cdw10 = session,
                                 .cdw12 = bytes};
}

static int fetch(struct csd_split *split, uint32_t session, uint32_t bytes) {
  if (bytes > split->page_bytes) {
    return csd_fail(CSD_STATUS_INTERNAL, "a result page of %u bytes", bytes);
  }
  const struct csd_submission command = fetch_of(split, session, bytes);
  uint32_t got;
  return run_whole(split, &command, &got);
}

/* Runs the window `now` on this thread, or the whole plan, or goes on with it.
   @return 1: there is more to do */
static int compute(struct csd_split *split, uint64_t budget) {
  uint32_t bytes;
  int status;
  if (split->elsewhere && !split->pages_asked) {
    split->pages_asked = true;
    return CSD_SPLIT_PAGES;
  }
  if (csd_queue_pending(split->queue) == 0) {
    const uint32_t plan_bytes =
        split->state == UNCUT
            ? split->uncut_bytes
            : csd_gather_prepare(&split->gather, split->now.min_doc, split->now.limit_doc, 0);
    const struct csd_submission submit = {.opcode = CSD_OPCODE_SUBMIT,
                                          .nsid = 1,
                                          .data = (uintptr_t)split->plan,
                                          .data_bytes = plan_bytes,
                                          .cdw10 = split->host_session,
                                          .cdw11 = plan_bytes};
    status = run(split, &submit, budget, &bytes);
  } else {
    status = run(split, NULL, budget, &bytes);
  }
  if (status != 0) {
    return status;
  }
  status = fetch(split, split->host_session, bytes);
  if (status < 0) {
    return status;
  }
  if (split->state == UNCUT) {
    memcpy(split->page, split->part, bytes);
    split->state = IDLE;
  } else if (csd_gather_take(&split->gather, split->part, split->scratch, split->page_bytes)) {
    split->state = split->in_task ? OFFER : LEFT;
  } else {
    begin_uncut(split);
  }
  return 0;
}

/* ---- GATHER ---- */

/* Ends the task; what a window failed by is found out when the host runs it. */
static int finish(struct csd_split *split, uint64_t budget) {
  const struct csd_submission final =
      final_of(split, split->mode == CSD_TASK_MODE_DYNAMIC ? CSD_FINAL_FLAG_HAND_BACK : 0);
  const bool sent = split->state == FINISHING;
  split->state = FINISHING;
  const int status = run_on_device(split, sent ? NULL : &final, budget, &split->page_left_bytes);
  if (status > 0) {
    return status;
  }
  split->in_task = false;
  if (status == -CSD_STATUS_CLOSED || status == -CSD_STATUS_ABORTED) {
    return status;
  }
  split->state = status < 0 ? LEFT : GATHER; /* without a page all windows are the host's */
  return 0;
}

/* Fetches what the device's windows have come to, and adds it. */
static int gather(struct csd_split *split, uint64_t budget) {
  const uint32_t bytes = split->page_left_bytes;
  if (bytes > split->page_bytes) {
    return csd_fail(CSD_STATUS_INTERNAL, "a result page of %u bytes", bytes);
  }
  const struct csd_submission command = fetch_of(split, split->device_session, bytes);
  const bool sent = split->state == GATHERING;
  uint32_t got;
  split->state = GATHERING;
  const int status = run_on_device(split, sent ? NULL : &command, budget, &got);
  if (status != 0) {
    return status;
  }
  if (got != bytes || !csd_gather_is_page(&split->gather, split->part, bytes, split->taken)) {
    return csd_fail(CSD_STATUS_INTERNAL, "%u bytes of %u that are not what a task leaves", got,
                    bytes);
  }
  split->state = LEFT;
  struct csd_result_header header;
  memcpy(&header, split->part, sizeof header);
  if (csd_gather_join(&split->gather, split->part, split->scratch, split->page_bytes)) {
    split->left = header.windows;
  }
  split->counts.device = split->left;
  return 0;
}

/* Begins the next window that the device has not done, or ends the plan. */
static void next_left(struct csd_split *split) {
  if (split->left < split->taken) {
    split->now = split->windows[split->left++];
    split->counts.handed_back++;
    split->state = COMPUTE;
    return;
  }
  struct csd_result_header header;
  memcpy(&header, split->page, sizeof header);
  header.next_doc = split->limit_doc;
  header.windows = 0;
  memcpy(split->page, &header, sizeof header);
  split->state = IDLE;
}

int csd_split_step(struct csd_split *split, uint64_t budget) {
  while (split->state != IDLE) {
    int status = 0;
    switch (split->state) {
      case BEGIN:
      case BEGINNING: status = begin_task(split, budget); break;
      case OFFER:
      case OFFERING: status = offer(split, budget); break;
      case COMPUTE:
      case UNCUT: status = compute(split, budget); break;
      case FINISH:
      case FINISHING: status = finish(split, budget); break;
      case GATHER:
      case GATHERING: status = gather(split, budget); break;
      case GIVE_UP:
      case GIVING_UP: status = give_up(split, budget); break;
      default: next_left(split); break;
    }
    if (status < 0) {
      split->state = IDLE; /* a task that goes on is ended by the next call: the trail stays */
    }
    if (status != 0) {
      return status;
    }
  }
  return 0;
}

void csd_split_abort(struct csd_split *split) {
  struct csd_completion completion;
  if (csd_queue_pending(split->queue) > 0) {
    csd_queue_abort(split->queue);
    while (csd_queue_pending(split->queue) > 0 &&
           csd_queue_poll(split->queue, &completion, 1, CSD_BUDGET_UNLIMITED) >= 0) {
    }
  }
  end_task(split);
  split->state = IDLE;
}

const uint8_t *csd_split_page(const struct csd_split *split, uint32_t *bytes) {
  struct csd_result_header header;
  memcpy(&header, split->page, sizeof header);
  *bytes = header.total_bytes;
  return split->page;
}

struct csd_split_counts csd_split_get_counts(const struct csd_split *split) {
  return split->counts;
}
