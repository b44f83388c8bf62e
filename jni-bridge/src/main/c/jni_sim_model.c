/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of the timing model: SimDevice sets it, SimSession asks it. */
#include "jni_commands.h"
#include "jni_sim_session.h"

/**
 * Sets the profile of the timing model: all bytes of `buffer`; null clears it.
 * `flags` are those of enum csd_model_flag. Returns 0, or a negated status.
 */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimDevice_nativeModel(
    JNIEnv *env, jclass type, jlong handle, jobject buffer, jint trace_records, jint flags,
    jbyteArray trail) {
  (void)type;
  const jlong bytes = buffer == NULL ? 0 : (*env)->GetDirectBufferCapacity(env, buffer);
  const uint8_t *const profile = bridge_range(env, buffer, 0, bytes);
  if ((buffer != NULL && profile == NULL) || bytes > CSD_MAX_TRANSFER_BYTES || trace_records < 0) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT,
                         "the profile is not in a direct buffer, or too long");
  }
  const struct csd_submission model = {
      .opcode = CSD_OPCODE_MODEL,
      .nsid = 1,
      .data = (uintptr_t)profile,
      .data_bytes = (uint64_t)bytes,
      .cdw10 = (uint32_t)bytes,
      .cdw11 = (uint32_t)trace_records,
      .cdw12 = (uint32_t)flags,
  };
  return bridge_run_alone(env, bridge_pointer(handle), &model, NULL, trail);
}

/** Reads what the model says of writes to the start of `buffer`; its bytes, or a negated status. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimDevice_nativeModelWrites(
    JNIEnv *env, jclass type, jlong handle, jint what, jobject buffer, jbyteArray trail) {
  (void)type;
  const uint32_t bytes = sizeof(struct csd_model_report);
  uint8_t *const data = bridge_range(env, buffer, 0, bytes);
  if (data == NULL) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the buffer is too small");
  }
  const struct csd_submission fetch = {
      .opcode = CSD_OPCODE_MODEL_FETCH,
      .nsid = 1,
      .data = (uintptr_t)data,
      .data_bytes = bytes,
      .cdw12 = bytes,
      .cdw13 = (uint32_t)what,
  };
  return bridge_run_alone(env, bridge_pointer(handle), &fetch, NULL, trail);
}

/**
 * Reads up to `bytes` bytes, from byte `from` on, of what the model says of the session's last
 * plan, to the start of `buffer`; returns their number, less than `bytes` at the end, or a negated
 * status.
 */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimSession_nativeModelData(
    JNIEnv *env, jclass type, jlong handle, jint what, jint from, jobject buffer, jint bytes,
    jbyteArray trail) {
  (void)type;
  uint8_t *const data = bridge_range(env, buffer, 0, bytes);
  if (data == NULL || from < 0 || bytes > (jint)CSD_MAX_TRANSFER_BYTES) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the buffer is too small");
  }
  const struct bridge_session *const session = bridge_pointer(handle);
  const struct csd_submission fetch = {
      .opcode = CSD_OPCODE_MODEL_FETCH,
      .nsid = 1,
      .data = (uintptr_t)data,
      .data_bytes = (uint32_t)bytes,
      .cdw10 = session->session,
      .cdw11 = (uint32_t)from,
      .cdw12 = (uint32_t)bytes,
      .cdw13 = (uint32_t)what,
  };
  uint32_t fetched = 0;
  const int status = bridge_run(session->queue, &fetch, &fetched);
  return status < 0 ? bridge_fail(env, trail, status) : (jlong)fetched;
}
