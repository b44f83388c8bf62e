/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.sim.SimDevice and NativeLoader: the block part and the resources. */
#include <stdlib.h>
#include <string.h>

#include "jni_commands.h"
#include "jni_structs.h"

/* Bytes of one command's data; a multiple of the LBA. */
enum { CHUNK_BYTES = CSD_MAX_TRANSFER_BYTES };

/* TRIM, cdw11: the attribute "deallocate". */
static const uint32_t TRIM_DEALLOCATE = 1u << 2;

JNIEXPORT jint JNICALL Java_org_luceneoffload_sim_NativeLoader_nativeWireVersion(JNIEnv *env,
                                                                                 jclass type) {
  (void)env;
  (void)type;
  return (jint)csd_wire_version();
}

/** The project's version that this was built from; empty if that is not known. */
JNIEXPORT jstring JNICALL Java_org_luceneoffload_sim_NativeLoader_nativeVersion(JNIEnv *env,
                                                                                jclass type) {
  (void)type;
  return (*env)->NewStringUTF(env, CSD_VERSION);
}

static bool has_negative(const struct jni_sim_opening *o) {
  return o->capacity_bytes < 0 || o->dram_bytes < 0 || o->index_bytes < 0 ||
         o->direct_bytes_per_s < 0 || o->max_sessions < 0 || o->threads < 0 ||
         o->queued_windows < 0 || o->raw_percent < 0 || o->slow < 0;
}

/** Opens a device for reading: `path` is not terminated; returns a handle, or a negated status. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimDevice_nativeOpen(JNIEnv *env, jclass type,
                                                                        jbyteArray path,
                                                                        jobject buffer,
                                                                        jbyteArray trail) {
  (void)type;
  struct jni_sim_opening opening;
  if (!bridge_copy(env, buffer, &opening, sizeof opening)) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the options are too short");
  }
  if (has_negative(&opening)) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "a size is negative");
  }
  const jsize path_bytes = (*env)->GetArrayLength(env, path);
  char *const path_copy = malloc((size_t)path_bytes + 1);
  struct bridge_device *const device = malloc(sizeof(*device));
  if (path_copy == NULL || device == NULL) {
    free(path_copy);
    free(device);
    return bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  }
  (*env)->GetByteArrayRegion(env, path, 0, path_bytes, (jbyte *)path_copy);
  path_copy[path_bytes] = 0;

  const struct csd_device_options options = {
      .path = path_copy,
      .capacity_bytes = (uint64_t)opening.capacity_bytes,
      .dram_bytes = (uint64_t)opening.dram_bytes,
      .index_bytes = (uint64_t)opening.index_bytes,
      .max_sessions = (uint32_t)opening.max_sessions,
      .read_only = opening.read_only != 0,
      .task_threads = (uint32_t)opening.threads,
      .task_windows = (uint32_t)opening.queued_windows,
      .raw_percent = (uint32_t)opening.raw_percent,
      .read_first = opening.read_only == 0,
      .direct = opening.direct != 0,
      .direct_bytes_per_s = (uint64_t)opening.direct_bytes_per_s,
      .slow = (uint32_t)opening.slow,
  };
  const int result = csd_device_open(&options, &device->device);
  free(path_copy);
  if (result < 0) {
    free(device);
    return bridge_fail(env, trail, result);
  }
  return bridge_handle(device);
}

/** Makes a device writable; returns 0, or a negated status. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimDevice_nativeOpenForWriting(
    JNIEnv *env, jclass type, jlong handle, jbyteArray trail) {
  (void)type;
  const struct bridge_device *const device = bridge_pointer(handle);
  const int result = csd_device_open_for_writing(device->device);
  return result < 0 ? bridge_fail(env, trail, result) : 0;
}

JNIEXPORT void JNICALL Java_org_luceneoffload_sim_SimDevice_nativeClose(JNIEnv *env, jclass type,
                                                                        jlong handle) {
  (void)env;
  (void)type;
  struct bridge_device *const device = bridge_pointer(handle);
  csd_device_close(device->device);
  free(device);
}

/** Sets the counters of device memory, in the order of MemoryCounts. */
JNIEXPORT void JNICALL Java_org_luceneoffload_sim_SimDevice_nativeMemoryCounts(JNIEnv *env,
                                                                               jclass type,
                                                                               jlong handle,
                                                                               jlongArray counts) {
  (void)type;
  const struct bridge_device *const device = bridge_pointer(handle);
  struct csd_device_stats stats;
  csd_device_get_stats(device->device, &stats);
  const jlong values[] = {(jlong)stats.page_hits,    (jlong)stats.page_loads,
                          (jlong)stats.page_reloads, (jlong)stats.page_evictions,
                          (jlong)stats.page_asks,    (jlong)stats.pages_read_ahead,
                          (jlong)stats.reads_ahead,  (jlong)stats.reads_deepest};
  (*env)->SetLongArrayRegion(env, counts, 0, sizeof values / sizeof *values, values);
}

/** Reads the capabilities into byte 0 of `buffer`. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimDevice_nativeInfo(JNIEnv *env, jclass type,
                                                                        jlong handle,
                                                                        jobject buffer,
                                                                        jbyteArray trail) {
  (void)type;
  uint8_t *const data = bridge_range(env, buffer, 0, sizeof(struct csd_device_info));
  if (data == NULL) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the buffer is too small");
  }
  const struct csd_submission fetch = {
      .opcode = CSD_OPCODE_FETCH,
      .nsid = 1,
      .data = (uintptr_t)data,
      .data_bytes = sizeof(struct csd_device_info),
      .cdw12 = sizeof(struct csd_device_info),
  };
  return bridge_run_alone(env, bridge_pointer(handle), &fetch, NULL, trail);
}

/** Moves whole LBAs between the device and `bytes` bytes at `offset` of `buffer`. */
static jlong transfer(JNIEnv *env, enum csd_opcode opcode, jlong handle, jlong lba, jobject buffer,
                      jlong offset, jlong bytes, jbyteArray trail) {
  uint8_t *data = bridge_range(env, buffer, offset, bytes);
  if (data == NULL || bytes % CSD_LBA_BYTES != 0 || lba < 0) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT,
                         "the buffer is not direct, too short, or no whole number of LBAs");
  }
  const struct bridge_device *const device = bridge_pointer(handle);
  uint64_t next_lba = (uint64_t)lba;
  uint64_t left = (uint64_t)bytes;
  while (left > 0) {
    const uint64_t now = left < CHUNK_BYTES ? left : CHUNK_BYTES;
    const struct csd_submission command = {
        .opcode = (uint8_t)opcode,
        .nsid = 1,
        .data = (uintptr_t)data,
        .data_bytes = now,
        .cdw10 = (uint32_t)next_lba,
        .cdw11 = (uint32_t)(next_lba >> 32),
        .cdw12 = (uint32_t)(now / CSD_LBA_BYTES - 1),
    };
    const int result = bridge_run_alone(env, device, &command, NULL, trail);
    if (result < 0) {
      return result;
    }
    data += now;
    left -= now;
    next_lba += now / CSD_LBA_BYTES;
  }
  return 0;
}

JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimDevice_nativeRead(JNIEnv *env, jclass type,
                                                                        jlong handle, jlong lba,
                                                                        jobject buffer,
                                                                        jlong offset, jlong bytes,
                                                                        jbyteArray trail) {
  (void)type;
  return transfer(env, CSD_OPCODE_READ, handle, lba, buffer, offset, bytes, trail);
}

JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimDevice_nativeWrite(JNIEnv *env, jclass type,
                                                                         jlong handle, jlong lba,
                                                                         jobject buffer,
                                                                         jlong offset, jlong bytes,
                                                                         jbyteArray trail) {
  (void)type;
  return transfer(env, CSD_OPCODE_WRITE, handle, lba, buffer, offset, bytes, trail);
}

JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimDevice_nativeFlush(JNIEnv *env, jclass type,
                                                                         jlong handle,
                                                                         jbyteArray trail) {
  (void)type;
  const struct csd_submission flush = {.opcode = CSD_OPCODE_FLUSH, .nsid = 1};
  return bridge_run_alone(env, bridge_pointer(handle), &flush, NULL, trail);
}

JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimDevice_nativeTrim(JNIEnv *env, jclass type,
                                                                        jlong handle, jlong lba,
                                                                        jlong count,
                                                                        jbyteArray trail) {
  (void)type;
  if (lba < 0 || count < 0) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "an LBA or count is negative");
  }
  uint64_t next_lba = (uint64_t)lba;
  uint64_t left = (uint64_t)count;
  while (left > 0) {
    const uint64_t now = left < UINT32_MAX ? left : UINT32_MAX;
    const struct csd_trim_range range = {.lba_count = (uint32_t)now, .lba = next_lba};
    const struct csd_submission trim = {
        .opcode = CSD_OPCODE_TRIM,
        .nsid = 1,
        .data = (uintptr_t)&range,
        .data_bytes = sizeof(range),
        .cdw11 = TRIM_DEALLOCATE,
    };
    const int result = bridge_run_alone(env, bridge_pointer(handle), &trim, NULL, trail);
    if (result < 0) {
      return result;
    }
    left -= now;
    next_lba += now;
  }
  return 0;
}

static int drop(JNIEnv *env, const struct bridge_device *device, uint32_t resource,
                jbyteArray trail) {
  const struct csd_submission command = {.opcode = CSD_OPCODE_DROP, .nsid = 1, .cdw10 = resource};
  return bridge_run_alone(env, device, &command, NULL, trail);
}

/** Puts a resource into device memory; returns its number, or a negated status. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimDevice_nativePut(JNIEnv *env, jclass type,
                                                                       jlong handle, jint kind,
                                                                       jobject buffer, jlong offset,
                                                                       jlong bytes,
                                                                       jbyteArray trail) {
  (void)type;
  const uint8_t *const data = bridge_range(env, buffer, offset, bytes);
  if (data == NULL || bytes == 0 || bytes > (jlong)UINT32_MAX) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT,
                         "the buffer is not direct, empty or too short");
  }
  const struct bridge_device *const device = bridge_pointer(handle);
  uint32_t resource = 0;
  for (uint32_t at = 0; at < (uint32_t)bytes;) {
    const uint32_t left = (uint32_t)bytes - at;
    const uint32_t now = left < CHUNK_BYTES ? left : CHUNK_BYTES;
    const struct csd_submission put = {
        .opcode = CSD_OPCODE_PUT,
        .nsid = 1,
        .data = (uintptr_t)(data + at),
        .data_bytes = now,
        .cdw10 = (uint32_t)kind,
        .cdw11 = now,
        .cdw12 = resource,
        .cdw13 = at,
        .cdw14 = (uint32_t)bytes,
    };
    uint32_t made = 0;
    const int result = bridge_run_alone(env, device, &put, &made, trail);
    if (result < 0) {
      if (resource != 0) {
        drop(env, device, resource, NULL);
      }
      return result;
    }
    resource = made;
    at += now;
  }
  return (jlong)resource;
}

JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimDevice_nativeDrop(JNIEnv *env, jclass type,
                                                                        jlong handle, jint resource,
                                                                        jbyteArray trail) {
  (void)type;
  return drop(env, bridge_pointer(handle), (uint32_t)resource, trail);
}
