/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "jni_support.h"

#include <string.h>

void bridge_trail(JNIEnv *env, jbyteArray trail, const char *text) {
  if (trail == NULL) {
    return;
  }
  const size_t room = (size_t)(*env)->GetArrayLength(env, trail);
  const size_t length = strnlen(text, room);
  static const jbyte zero = 0;
  if (length > 0) {
    (*env)->SetByteArrayRegion(env, trail, 0, (jsize)length, (const jbyte *)text);
  }
  if (length < room) {
    (*env)->SetByteArrayRegion(env, trail, (jsize)length, 1, &zero);
  }
}

jlong bridge_fail(JNIEnv *env, jbyteArray trail, jlong status) {
  bridge_trail(env, trail, csd_last_error());
  return status;
}

jlong bridge_refuse(JNIEnv *env, jbyteArray trail, enum csd_status status, const char *reason) {
  bridge_trail(env, trail, reason);
  return -(jlong)status;
}

uint8_t *bridge_range(JNIEnv *env, jobject buffer, jlong offset, jlong bytes) {
  if (buffer == NULL || offset < 0 || bytes < 0) {
    return NULL;
  }
  uint8_t *const start = (*env)->GetDirectBufferAddress(env, buffer);
  const jlong capacity = (*env)->GetDirectBufferCapacity(env, buffer);
  if (start == NULL || offset > capacity || bytes > capacity - offset) {
    return NULL;
  }
  return start + offset;
}

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
