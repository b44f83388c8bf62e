/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.sim.HostExecutor: split plans, see csd_split.h. */
#include <string.h>

#include "csd/csd_split.h"
#include "jni_commands.h"

/* What nativeStep leaves of a command: opcode, cdw11, cdw12, cdw13, bytes of data. */
enum { COMMAND_DWORDS = 5 };

/** Opens a session over the pages in the process; returns a handle. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_HostExecutor_nativeOpen(JNIEnv *env, jclass type,
                                                                           jlong device_handle,
                                                                           jint grant_bytes,
                                                                           jbyteArray trail) {
  (void)type;
  const struct bridge_device *const device = bridge_pointer(device_handle);
  struct csd_split *split = NULL;
  if (grant_bytes < 0) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "a negative grant");
  }
  const int status = csd_split_create_elsewhere(device->device, (uint32_t)grant_bytes, &split);
  return status < 0 ? bridge_fail(env, trail, status) : bridge_handle(split);
}

/** Begins a plan; returns 0, 1 if the device has to run it as it is, or -status. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_HostExecutor_nativeBegin(
    JNIEnv *env, jclass type, jlong handle, jobject plan, jint plan_bytes, jint windows, jint mode,
    jbyteArray trail) {
  (void)type;
  const uint8_t *const bytes = plan_bytes < 0 ? NULL : bridge_range(env, plan, 0, plan_bytes);
  if (bytes == NULL || windows < 1) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT,
                         "the plan is longer than the plan buffer");
  }
  const int status = csd_split_begin(bridge_pointer(handle), bytes, (uint32_t)plan_bytes,
                                     (uint32_t)windows, (uint32_t)mode, 0);
  return status < 0 ? bridge_fail(env, trail, status) : status;
}

/** Goes on; returns as csd_split_step, with a command that is wanted in `command`. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_HostExecutor_nativeStep(
    JNIEnv *env, jclass type, jlong handle, jlong budget, jintArray command, jbyteArray trail) {
  (void)type;
  struct csd_split *const split = bridge_pointer(handle);
  if (budget < 1) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the budget is not positive");
  }
  const int status = csd_split_step(split, (uint64_t)budget);
  if (status == CSD_SPLIT_COMMAND) {
    const struct csd_submission *const asked = csd_split_command(split);
    const jint dwords[COMMAND_DWORDS] = {asked->opcode, (jint)asked->cdw11, (jint)asked->cdw12,
                                         (jint)asked->cdw13, (jint)asked->data_bytes};
    (*env)->SetIntArrayRegion(env, command, 0, COMMAND_DWORDS, dwords);
  }
  return status < 0 ? bridge_fail(env, trail, status) : status;
}

/** Says what became of the command; `bytes` of `data` came with it. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_HostExecutor_nativeAnswer(
    JNIEnv *env, jclass type, jlong handle, jint dw0, jobject data, jint bytes, jbyteArray trail) {
  (void)type;
  const uint8_t *const from = bytes < 0 ? NULL : bridge_range(env, data, 0, bytes);
  if (from == NULL) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT,
                         "the data are longer than their buffer");
  }
  const int status = csd_split_answer(bridge_pointer(handle), (uint32_t)dw0, from, (uint32_t)bytes);
  return status < 0 ? bridge_fail(env, trail, status) : 0;
}

/** Copies the plan's extents; returns how many they are, -1 if they have no room. */
JNIEXPORT jint JNICALL Java_org_luceneoffload_sim_HostExecutor_nativeExtents(JNIEnv *env,
                                                                             jclass type,
                                                                             jlong handle,
                                                                             jobject extents) {
  (void)type;
  const uint8_t *from;
  const uint32_t count = csd_split_extents(bridge_pointer(handle), &from);
  const jlong bytes = (jlong)count * (jlong)sizeof(struct csd_extent);
  uint8_t *const to = bridge_range(env, extents, 0, bytes);
  if (to == NULL) {
    return -1;
  }
  memcpy(to, from, (size_t)bytes);
  return (jint)count;
}

/** Copies the result page of a plan that has ended well; returns its bytes. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_HostExecutor_nativePage(JNIEnv *env, jclass type,
                                                                           jlong handle,
                                                                           jobject result,
                                                                           jbyteArray trail) {
  (void)type;
  uint32_t bytes;
  const uint8_t *const page = csd_split_page(bridge_pointer(handle), &bytes);
  uint8_t *const to = bridge_range(env, result, 0, bytes);
  if (to == NULL) {
    return bridge_refuse(env, trail, CSD_STATUS_INTERNAL,
                         "the result page is larger than the session's buffer");
  }
  memcpy(to, page, bytes);
  return (jlong)bytes;
}

/** What became of the latest plan's windows, as bridge_split_counts has it. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_HostExecutor_nativeCounts(JNIEnv *env,
                                                                             jclass type,
                                                                             jlong handle) {
  (void)env;
  (void)type;
  return bridge_split_counts(bridge_pointer(handle));
}

/** Ends a plan. */
JNIEXPORT void JNICALL Java_org_luceneoffload_sim_HostExecutor_nativeAbort(JNIEnv *env, jclass type,
                                                                           jlong handle) {
  (void)env;
  (void)type;
  csd_split_abort(bridge_pointer(handle));
}

/** Frees the handle. */
JNIEXPORT void JNICALL Java_org_luceneoffload_sim_HostExecutor_nativeClose(JNIEnv *env, jclass type,
                                                                           jlong handle) {
  (void)env;
  (void)type;
  csd_split_destroy(bridge_pointer(handle));
}
