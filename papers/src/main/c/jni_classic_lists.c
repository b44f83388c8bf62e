/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.papers.classic.ClassicLists: the lists of a workload as arrays. */
#include <stdlib.h>
#include <string.h>

#include "jni_program.h"

bool bridge_program(JNIEnv *env, jobject buffer, struct jni_classic_program *program,
                    struct csd_classic_workload *workload) {
  if (!bridge_copy(env, buffer, program, sizeof *program)) {
    return false;
  }
  *workload = (struct csd_classic_workload){.lists = program->lists,
                                            .longest = program->longest,
                                            .skew = program->skew,
                                            .ratio_ppm = program->ratio_ppm,
                                            .universe = program->universe,
                                            .seed = program->seed};
  _Static_assert(sizeof workload->lengths == sizeof program->lengths, "as many lists");
  memcpy(workload->lengths, program->lengths, sizeof program->lengths);
  return true;
}

/** Entries of all lists, or a negated status. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_ClassicLists_nativeEntries(
    JNIEnv *env, jclass type, jobject buffer, jbyteArray trail) {
  (void)type;
  struct jni_classic_program program;
  struct csd_classic_workload workload;
  uint64_t entries, scratch_bytes;
  if (!bridge_program(env, buffer, &program, &workload)) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the program is too short");
  }
  const int status = csd_classic_workload_size(&workload, &entries, &scratch_bytes);
  return status < 0 ? bridge_fail(env, trail, status) : (jlong)entries;
}

/* Copies one list into both arrays from `at` on; returns where it ends. */
static jsize put_list(JNIEnv *env, const struct csd_classic_list *list, jint *scratch, jsize at,
                      jintArray docs, jintArray freqs) {
  for (uint32_t i = 0; i < list->length; i++) {
    scratch[i] = (jint)list->entries[i].doc;
  }
  (*env)->SetIntArrayRegion(env, docs, at, (jsize)list->length, scratch);
  for (uint32_t i = 0; i < list->length; i++) {
    scratch[i] = (jint)list->entries[i].freq;
  }
  (*env)->SetIntArrayRegion(env, freqs, at, (jsize)list->length, scratch);
  return at + (jsize)list->length;
}

/**
 * Makes the lists, and writes their docs and freqs one list after the other, and where each list
 * ends. The arrays have room for nativeEntries entries, and for as many ends as there are lists.
 */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_ClassicLists_nativeMake(
    JNIEnv *env, jclass type, jobject buffer, jintArray docs, jintArray freqs, jintArray ends,
    jbyteArray trail) {
  (void)type;
  struct jni_classic_program program;
  struct csd_classic_workload workload;
  struct csd_classic_list lists[CSD_CLASSIC_MAX_LISTS];
  uint64_t entries, scratch_bytes;
  if (!bridge_program(env, buffer, &program, &workload)) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the program is too short");
  }
  int status = csd_classic_workload_size(&workload, &entries, &scratch_bytes);
  if (status < 0) {
    return bridge_fail(env, trail, status);
  }
  if ((uint64_t)(*env)->GetArrayLength(env, docs) != entries ||
      (uint64_t)(*env)->GetArrayLength(env, freqs) != entries ||
      (uint32_t)(*env)->GetArrayLength(env, ends) != workload.lists) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "arrays of another length");
  }
  struct csd_classic_entry *const all = malloc(entries * sizeof *all);
  void *const scratch = malloc(scratch_bytes);
  jint *const values = malloc(entries * sizeof *values);
  if (all == NULL || scratch == NULL || values == NULL) {
    status = (int)bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  } else {
    status = csd_classic_workload_make(&workload, all, scratch, lists);
    if (status < 0) {
      bridge_fail(env, trail, status);
    }
  }
  for (uint32_t i = 0, at = 0; status >= 0 && i < workload.lists; i++) {
    at = (uint32_t)put_list(env, &lists[i], values, (jsize)at, docs, freqs);
    (*env)->SetIntArrayRegion(env, ends, (jsize)i, 1, (const jint *)&at);
  }
  free(values);
  free(scratch);
  free(all);
  return status;
}
