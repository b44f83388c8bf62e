/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A split is a small state machine over a queue of its own: it offers windows, does the ones that
   are raw, and ends the task. Windows ascend on either side. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/plan/plan_check.h"
#include "host/split_state.h"

enum { DOCS_OF_A_WORD = 64, QUEUE_DEPTH = 2 };

static int open_session(struct csd_split *split, uint32_t grant_bytes, uint32_t *session) {
  const struct csd_submission open = {.opcode = CSD_OPCODE_OPEN, .nsid = 1, .cdw10 = grant_bytes};
  return csd_split_run_whole(split, &open, session);
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
    (void)csd_split_run_whole(split, &close,
                              &dw0); /* fails if the device is gone, and with it the session */
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
  const uint32_t count =
      cut ? (windows < CSD_SPLIT_MAX_WINDOWS ? windows : CSD_SPLIT_MAX_WINDOWS) : 1;
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
    csd_split_begin_uncut(split);
    return 0;
  }
  split->state = BEGIN;
  return 0;
}

uint32_t csd_split_extents(const struct csd_split *split, const uint8_t **extents) {
  const struct csd_plan_header *header = &split->gather.header;
  *extents = split->plan + split->extents_at;
  return header->extent_count;
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
      case BEGINNING: status = csd_split_begin_task(split, budget); break;
      case OFFER:
      case OFFERING: status = csd_split_offer(split, budget); break;
      case COMPUTE:
      case UNCUT: status = csd_split_compute(split, budget); break;
      case FINISH:
      case FINISHING: status = csd_split_finish(split, budget); break;
      case GATHER:
      case GATHERING: status = csd_split_gather(split, budget); break;
      case GIVE_UP:
      case GIVING_UP: status = csd_split_give_up(split, budget); break;
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
  csd_split_end_task(split);
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
