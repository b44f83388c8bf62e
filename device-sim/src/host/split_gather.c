/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* GATHER: the task is ended, and what its windows have come to is added. */
#include <string.h>

#include "base/status.h"
#include "host/split_state.h"

static struct csd_submission final_of(const struct csd_split *split, uint32_t flags) {
  return (struct csd_submission){
      .opcode = CSD_OPCODE_FINAL, .nsid = 1, .cdw10 = split->device_session, .cdw11 = flags};
}

void csd_split_end_task(struct csd_split *split) {
  const struct csd_submission final = final_of(split, CSD_FINAL_FLAG_HAND_BACK);
  uint32_t dw0;
  if (split->in_task && !split->elsewhere) {
    (void)csd_split_run_whole(split, &final, &dw0); /* fails if an abort has ended it */
  }
  split->in_task = false;
}

int csd_split_give_up(struct csd_split *split, uint64_t budget) {
  const struct csd_submission final = final_of(split, CSD_FINAL_FLAG_HAND_BACK);
  const bool sent = split->state == GIVING_UP;
  uint32_t bytes;
  split->state = GIVING_UP;
  const int status = csd_split_run_on_device(split, sent ? NULL : &final, budget, &bytes);
  if (status <= 0) { /* whatever became of the windows */
    split->in_task = false;
    split->state = UNCUT;
  }
  return status > 0 ? status : 0;
}

int csd_split_finish(struct csd_split *split, uint64_t budget) {
  const struct csd_submission final =
      final_of(split, split->mode == CSD_TASK_MODE_DYNAMIC ? CSD_FINAL_FLAG_HAND_BACK : 0);
  const bool sent = split->state == FINISHING;
  split->state = FINISHING;
  const int status =
      csd_split_run_on_device(split, sent ? NULL : &final, budget, &split->page_left_bytes);
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

int csd_split_gather(struct csd_split *split, uint64_t budget) {
  const uint32_t bytes = split->page_left_bytes;
  if (bytes > split->page_bytes) {
    return csd_fail(CSD_STATUS_INTERNAL, "a result page of %u bytes", bytes);
  }
  const struct csd_submission command = csd_split_fetch_of(split, split->device_session, bytes);
  const bool sent = split->state == GATHERING;
  uint32_t got;
  split->state = GATHERING;
  const int status = csd_split_run_on_device(split, sent ? NULL : &command, budget, &got);
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
