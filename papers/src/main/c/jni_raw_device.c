/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.papers.classic.RawDevice: single commands of a device of the engine.
 */
#include <stdlib.h>

#include "csd/csd_rows.h"
#include "jni_support.h"

/* A device with its one queue. */
struct raw_device {
  struct csd_device *device;
  struct csd_queue *queue;
};

/** Opens a device for writing that has the programs over rows: `path` is not terminated; returns a
 *  handle, or a negated status. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_RawDevice_nativeOpen(
    JNIEnv *env, jclass type, jbyteArray path, jlong capacity_bytes, jlong index_bytes,
    jlong session_bytes, jbyteArray trail) {
  static const struct csd_task_program *const programs[] = {&csd_rows_tasks};
  (void)type;
  const jsize path_bytes = (*env)->GetArrayLength(env, path);
  char *const path_copy = calloc((size_t)path_bytes + 1, 1);
  struct raw_device *const raw = calloc(1, sizeof *raw);
  if (path_copy == NULL || raw == NULL) {
    free(path_copy);
    free(raw);
    return bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  }
  (*env)->GetByteArrayRegion(env, path, 0, path_bytes, (jbyte *)path_copy);
  const struct csd_device_options options = {.path = path_copy,
                                             .capacity_bytes = (uint64_t)capacity_bytes,
                                             .index_bytes = (uint64_t)index_bytes,
                                             .session_bytes = (uint64_t)session_bytes,
                                             .task_programs = programs,
                                             .task_program_count = 1};
  int status = csd_device_open(&options, &raw->device);
  free(path_copy);
  if (status == 0) {
    status = csd_queue_create(raw->device, 1, &raw->queue);
    if (status < 0) {
      csd_device_close(raw->device);
    }
  }
  if (status < 0) {
    free(raw);
    return bridge_fail(env, trail, status);
  }
  return bridge_handle(raw);
}

JNIEXPORT void JNICALL Java_org_luceneoffload_papers_classic_RawDevice_nativeClose(JNIEnv *env,
                                                                                   jclass type,
                                                                                   jlong handle) {
  (void)env;
  (void)type;
  struct raw_device *const raw = bridge_pointer(handle);
  csd_device_close(raw->device);
  csd_queue_destroy(raw->queue);
  free(raw);
}

/** Runs a command with dwords 10 to 14 over `bytes` bytes of `buffer`; returns its dw0. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_RawDevice_nativeRun(
    JNIEnv *env, jclass type, jlong handle, jint opcode, jintArray dwords, jobject buffer,
    jint bytes, jbyteArray trail) {
  (void)type;
  const struct raw_device *const raw = bridge_pointer(handle);
  jint dw[5];
  uint8_t *const data = bytes == 0 ? NULL : bridge_range(env, buffer, 0, bytes);
  if ((bytes != 0 && data == NULL) || (*env)->GetArrayLength(env, dwords) != 5) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the buffer is too small");
  }
  (*env)->GetIntArrayRegion(env, dwords, 0, 5, dw);
  const struct csd_submission command = {.opcode = (uint8_t)opcode,
                                         .nsid = 1,
                                         .data = (uintptr_t)data,
                                         .data_bytes = (uint32_t)bytes,
                                         .cdw10 = (uint32_t)dw[0],
                                         .cdw11 = (uint32_t)dw[1],
                                         .cdw12 = (uint32_t)dw[2],
                                         .cdw13 = (uint32_t)dw[3],
                                         .cdw14 = (uint32_t)dw[4]};
  struct csd_completion completion;
  int status = csd_queue_submit(raw->queue, &command, 1);
  while (status == 0) {
    status = csd_queue_poll(raw->queue, &completion, 1, CSD_BUDGET_UNLIMITED);
  }
  if (status > 0) {
    status = -csd_completion_status(&completion);
  }
  return status < 0 ? bridge_fail(env, trail, status) : (jlong)completion.dw0;
}

/** Sets counters: index pages read from the store, and entries rebuilt as the device was opened. */
JNIEXPORT void JNICALL Java_org_luceneoffload_papers_classic_RawDevice_nativeCounts(
    JNIEnv *env, jclass type, jlong handle, jlongArray counts) {
  (void)type;
  const struct raw_device *const raw = bridge_pointer(handle);
  struct csd_device_stats stats;
  csd_device_get_stats(raw->device, &stats);
  const jlong values[] = {(jlong)stats.index_loads, (jlong)stats.index_rebuilt};
  (*env)->SetLongArrayRegion(env, counts, 0, sizeof values / sizeof *values, values);
}
