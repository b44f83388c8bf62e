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

bool bridge_copy(JNIEnv *env, jobject buffer, void *to, size_t bytes) {
  const uint8_t *const from = bridge_range(env, buffer, 0, (jlong)bytes);
  if (from != NULL) {
    memcpy(to, from, bytes);
  }
  return from != NULL;
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
