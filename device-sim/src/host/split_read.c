/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* READ: the task is begun, and its windows are offered to the device, one after the other. */
#include <string.h>

#include "host/split_state.h"

int csd_split_begin_task(struct csd_split *split, uint64_t budget) {
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
  const int status = csd_split_run_on_device(split, sent ? NULL : &init, budget, &dw0);
  if (status == 0) {
    split->in_task = true;
    split->state = OFFER;
  }
  return status;
}

/* Bits of the score that the last of k hits in hand has; 0: there are fewer. */
static uint32_t min_score_of(const struct csd_split *split) {
  const struct csd_plan_header *plan = &split->gather.header;
  struct csd_result_header found;
  uint32_t bits = 0;
  memcpy(&found, split->page, sizeof found);
  if (plan->mode == CSD_MODE_TOP_K && found.entry_count == plan->k) {
    memcpy(&bits, split->page + sizeof found + 8u * (plan->k - 1u) + 4u, sizeof bits);
  }
  return bits;
}

int csd_split_offer(struct csd_split *split, uint64_t budget) {
  uint32_t answer;
  int status;
  if (split->state == OFFER) {
    if (split->next_doc >= split->limit_doc) {
      split->state = FINISH;
      return 0;
    }
    const uint32_t rest = split->limit_doc - split->next_doc;
    const uint32_t docs = rest < split->window_docs ? rest : split->window_docs;
    split->now = (struct csd_split_window){split->next_doc, split->next_doc + docs};
    split->next_doc += docs;
    const struct csd_submission read = {.opcode = CSD_OPCODE_READ_PROC,
                                        .nsid = 1,
                                        .cdw10 = split->device_session,
                                        .cdw11 = split->now.min_doc,
                                        .cdw12 = split->now.limit_doc,
                                        .cdw13 = min_score_of(split)};
    split->state = OFFERING;
    status = csd_split_run_on_device(split, &read, budget, &answer);
  } else {
    status = csd_split_run_on_device(split, NULL, budget, &answer);
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
