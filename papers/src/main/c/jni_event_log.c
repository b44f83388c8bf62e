/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.papers.classic.EventLog: recordings that Java makes, played
 *  together. */
#include <stdlib.h>

#include "csd/csd_model.h"
#include "jni_structs.h"
#include "jni_support.h"

/* Adds the event at words[*at]: kind and number of work words, address, bytes, then the work, each
 * kind in bits 56 to 63 and units below. */
static int add_event(struct csd_model_log *log, const jlong *words, jsize count, jsize *at) {
  uint64_t work[CSD_MODEL_WORK_SLOTS] = {0};
  if (count - *at < 3 || words[*at] >> 8 < 0 || words[*at] >> 8 > count - *at - 3) {
    return -CSD_STATUS_INVALID_ARGUMENT;
  }
  const jlong *event = words + *at;
  const jsize kinds = (jsize)(event[0] >> 8);
  for (jsize i = 0; i < kinds; i++) {
    const uint64_t word = (uint64_t)event[3 + i];
    if (csd_model_work_kind(word) < CSD_MODEL_WORK_SLOTS) {
      work[csd_model_work_kind(word)] += csd_model_work_units(word);
    }
  }
  *at += 3 + kinds;
  return csd_model_log_add(log, (enum csd_model_event_kind)(event[0] & 0xFF), (uint32_t)event[1],
                           (uint64_t)event[2], work);
}

/** Makes a log of events; returns a handle to it. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_EventLog_nativeMake(
    JNIEnv *env, jclass type, jlongArray words, jint used, jlong opened_bytes, jboolean bare,
    jbyteArray trail) {
  (void)type;
  struct csd_model_log *const log = malloc(sizeof *log);
  if (log == NULL) {
    return bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  }
  csd_model_log_init(log, NULL, 0, csd_model_grow, NULL);
  log->opened_bytes = (uint64_t)opened_bytes;
  log->bare = bare != JNI_FALSE;
  int status = used <= (*env)->GetArrayLength(env, words) ? 0 : -CSD_STATUS_INVALID_ARGUMENT;
  jlong *const all = (*env)->GetLongArrayElements(env, words, NULL);
  if (all == NULL) {
    status = -CSD_STATUS_NO_MEMORY;
  }
  for (jsize at = 0; status == 0 && at < used;) {
    status = add_event(log, all, used, &at);
  }
  if (all != NULL) {
    (*env)->ReleaseLongArrayElements(env, words, all, JNI_ABORT);
  }
  if (status < 0) {
    csd_model_log_free(log);
    free(log);
    return bridge_refuse(env, trail, (enum csd_status) - status, "no log of events");
  }
  return bridge_handle(log);
}

JNIEXPORT void JNICALL Java_org_luceneoffload_papers_classic_EventLog_nativeFree(JNIEnv *env,
                                                                                 jclass type,
                                                                                 jlong handle) {
  (void)env;
  (void)type;
  csd_model_log_free(bridge_pointer(handle));
  free(bridge_pointer(handle));
}

/* Requests to play, in memory of the call. */
struct requests {
  const struct csd_model_log **logs;
  jlong *handles;
  uint64_t *arrivals;
  struct csd_model_report *reports; /* of each request, then the total */
};

static bool allocate(struct requests *requests, size_t count) {
  requests->logs = calloc(count + 1, sizeof *requests->logs);
  requests->handles = calloc(count + 1, sizeof *requests->handles);
  requests->arrivals = calloc(count + 1, sizeof *requests->arrivals);
  requests->reports = calloc(count + 1, sizeof *requests->reports);
  return requests->logs != NULL && requests->handles != NULL && requests->arrivals != NULL &&
         requests->reports != NULL;
}

static void release(struct requests *requests) {
  free(requests->logs);
  free(requests->handles);
  free(requests->arrivals);
  free(requests->reports);
}

/**
 * Plays logs together. `reports` has room for a report of each and of all. `buffer` has a struct
 * jni_event_run, which is told how tasks were divided. Returns 0.
 */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_EventLog_nativePlay(
    JNIEnv *env, jclass type, jlongArray handles, jbyteArray profile, jobject buffer,
    jlongArray arrivals, jbyteArray reports, jbyteArray trail) {
  (void)type;
  const jsize count = (*env)->GetArrayLength(env, handles);
  struct csd_model_profile values;
  struct requests requests = {0};
  struct jni_event_run *const how = (void *)bridge_range(env, buffer, 0, sizeof *how);
  const size_t room = ((size_t)count + 1) * sizeof *requests.reports;
  if (how == NULL || (*env)->GetArrayLength(env, profile) != (jsize)sizeof values ||
      (*env)->GetArrayLength(env, arrivals) != count ||
      (size_t)(*env)->GetArrayLength(env, reports) != room) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "arrays of another length");
  }
  (*env)->GetByteArrayRegion(env, profile, 0, (jsize)sizeof values, (jbyte *)&values);
  if (!allocate(&requests, (size_t)count)) {
    release(&requests);
    return bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  }
  (*env)->GetLongArrayRegion(env, handles, 0, count, requests.handles);
  (*env)->GetLongArrayRegion(env, arrivals, 0, count, (jlong *)requests.arrivals);
  for (jsize i = 0; i < count; i++) {
    requests.logs[i] = bridge_pointer(requests.handles[i]);
  }
  const struct csd_model_runtime sharing = {.quantum_pages = how->quantum_pages,
                                            .memory_pages = how->memory_pages,
                                            .session_pages = how->session_pages,
                                            .sram_bytes = how->sram_bytes,
                                            .session_sram_bytes = how->session_sram_bytes,
                                            .poll_min_ps = how->poll_min_ps,
                                            .poll_max_ps = how->poll_max_ps};
  const struct csd_model_split division = {.slots = how->slots,
                                           .marked_ppm = how->marked_ppm,
                                           .dynamic = how->dynamic != 0,
                                           .apart = how->apart != 0};
  struct csd_model_split_counts counts = {0};
  const struct csd_model_run run = {.profile = &values,
                                    .side = (enum csd_model_side)how->side,
                                    .count = (uint32_t)count,
                                    .logs = requests.logs,
                                    .arrivals_ps = requests.arrivals,
                                    .runtime = &sharing,
                                    .split = how->divides != 0 ? &division : NULL,
                                    .split_counts = &counts,
                                    .reports = requests.reports,
                                    .total = &requests.reports[count]};
  const int status = csd_model_play(&run);
  if (status == 0) {
    (*env)->SetByteArrayRegion(env, reports, 0, (jsize)room, (const jbyte *)requests.reports);
    how->marked = counts.marked;
    how->processed = counts.processed;
    how->full = counts.full;
    how->raw = counts.raw;
  }
  release(&requests);
  return status < 0 ? bridge_fail(env, trail, status) : 0;
}
