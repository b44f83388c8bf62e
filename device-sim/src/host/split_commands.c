/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Commands of a split: the host's own, through its queue, and the device's. */
#include <string.h>

#include "base/status.h"
#include "host/split_state.h"

int csd_split_run(struct csd_split *split, const struct csd_submission *command, uint64_t budget,
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

int csd_split_run_whole(struct csd_split *split, const struct csd_submission *command,
                        uint32_t *dw0) {
  return csd_split_run(split, command, CSD_BUDGET_UNLIMITED, dw0);
}

int csd_split_run_on_device(struct csd_split *split, const struct csd_submission *command,
                            uint64_t budget, uint32_t *dw0) {
  if (!split->elsewhere) {
    return csd_split_run(split, command, budget, dw0);
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

struct csd_submission csd_split_fetch_of(const struct csd_split *split, uint32_t session,
                                         uint32_t bytes) {
  return (struct csd_submission){.opcode = CSD_OPCODE_FETCH,
                                 .nsid = 1,
                                 .data = (uintptr_t)split->part,
                                 .data_bytes = bytes,
                                 .cdw10 = session,
                                 .cdw12 = bytes};
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
