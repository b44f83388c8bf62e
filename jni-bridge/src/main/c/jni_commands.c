/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "jni_commands.h"

int bridge_run(struct csd_queue *queue, const struct csd_submission *submission, uint32_t *dw0) {
  struct csd_completion completion;
  int result = csd_queue_submit(queue, submission, 1);
  if (result < 0) {
    return result;
  }
  do {
    result = csd_queue_poll(queue, &completion, 1, CSD_BUDGET_UNLIMITED);
    if (result < 0) {
      return result;
    }
  } while (result == 0);
  if (dw0 != NULL) {
    *dw0 = completion.dw0;
  }
  return -csd_completion_status(&completion);
}

int bridge_run_alone(JNIEnv *env, const struct bridge_device *device,
                     const struct csd_submission *submission, uint32_t *dw0, jbyteArray trail) {
  struct csd_queue *queue;
  int result = csd_queue_create(device->device, 1, &queue);
  if (result < 0) {
    return (int)bridge_fail(env, trail, result);
  }
  result = bridge_run(queue, submission, dw0);
  if (result < 0) {
    bridge_fail(env, trail, result);
  }
  csd_queue_destroy(queue);
  return result;
}

jlong bridge_split_counts(const struct csd_split *split) {
  const struct csd_split_counts counts = csd_split_get_counts(split);
  return (jlong)((uint64_t)counts.windows | (uint64_t)counts.device << 16 |
                 (uint64_t)counts.raw << 32 | (uint64_t)counts.handed_back << 48);
}
