/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* COMPUTE: windows, or a whole plan, on the caller's thread. */
#include <string.h>

#include "base/status.h"
#include "host/split_state.h"

void csd_split_begin_uncut(struct csd_split *split) {
  split->counts = (struct csd_split_counts){0};
  split->uncut_bytes = csd_gather_restore(&split->gather);
  split->state = split->in_task ? GIVE_UP : UNCUT;
}

static int fetch(struct csd_split *split, uint32_t session, uint32_t bytes) {
  if (bytes > split->page_bytes) {
    return csd_fail(CSD_STATUS_INTERNAL, "a result page of %u bytes", bytes);
  }
  const struct csd_submission command = csd_split_fetch_of(split, session, bytes);
  uint32_t got;
  return csd_split_run_whole(split, &command, &got);
}

int csd_split_compute(struct csd_split *split, uint64_t budget) {
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
    status = csd_split_run(split, &submit, budget, &bytes);
  } else {
    status = csd_split_run(split, NULL, budget, &bytes);
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
    csd_split_begin_uncut(split);
  }
  return 0;
}
