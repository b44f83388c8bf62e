/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.papers.classic.RowTask: programs over pages of rows, on the host. */
#include "csd/csd_rows.h"
#include "jni_support.h"

/* As RowTask has them. */
enum { PROCESS, REST };
enum { COUNTS = 3, LONGS_A_GROUP = 1 + CSD_ROWS_SUMS };

_Static_assert(sizeof(struct csd_rows_counts) == COUNTS * sizeof(jlong), "all counts are longs");

/** Begins a task; returns a handle. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_RowTask_nativeOpen(
    JNIEnv *env, jclass type, jint parts, jintArray queries, jbyteArray trail) {
  (void)type;
  const jsize words = (*env)->GetArrayLength(env, queries);
  jint *const all = (*env)->GetIntArrayElements(env, queries, NULL);
  struct csd_rows_task *task = NULL;
  if (all == NULL) {
    return bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  }
  const int status =
      csd_rows_create((uint32_t)parts, (const uint32_t *)all, (uint32_t)words, &task);
  (*env)->ReleaseIntArrayElements(env, queries, all, JNI_ABORT);
  return status < 0 ? bridge_fail(env, trail, status) : bridge_handle(task);
}

JNIEXPORT void JNICALL Java_org_luceneoffload_papers_classic_RowTask_nativeFree(JNIEnv *env,
                                                                                jclass type,
                                                                                jlong handle) {
  (void)env;
  (void)type;
  csd_rows_destroy(bridge_pointer(handle));
}

/** Runs a program over a page, or the rest of it over so many filtered bytes; returns 0. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_papers_classic_RowTask_nativeRun(
    JNIEnv *env, jclass type, jlong handle, jint step, jint program, jobject rows, jint bytes,
    jlongArray counted, jbyteArray trail) {
  (void)type;
  struct csd_rows_task *const task = bridge_pointer(handle);
  const jint whole = step == REST ? bytes : (jint)CSD_ROWS_PAGE_BYTES;
  const uint8_t *const in = bytes < whole ? NULL : bridge_range(env, rows, 0, whole);
  struct csd_rows_counts counts = {0};
  if (in == NULL) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "no page of rows");
  }
  const int status =
      step == PROCESS
          ? csd_rows_process(task, (enum csd_rows_program)program, in, &counts)
          : csd_rows_rest(task, (enum csd_rows_program)program, in, (uint32_t)bytes, &counts);
  if (status < 0) {
    return bridge_fail(env, trail, status);
  }
  (*env)->SetLongArrayRegion(env, counted, 0, COUNTS, (const jlong *)&counts);
  return 0;
}

/** Copies what was found: a key and sums of each group; returns how many there are. */
JNIEXPORT jint JNICALL Java_org_luceneoffload_papers_classic_RowTask_nativeResult(
    JNIEnv *env, jclass type, jlong handle, jlongArray found) {
  (void)type;
  struct csd_rows_group groups[CSD_ROWS_MAX_GROUPS];
  const jint count = (jint)csd_rows_result(bridge_pointer(handle), groups);
  for (jint i = 0; i < count; i++) {
    const jlong key = groups[i].key;
    (*env)->SetLongArrayRegion(env, found, i * LONGS_A_GROUP, 1, &key);
    (*env)->SetLongArrayRegion(env, found, i * LONGS_A_GROUP + 1, CSD_ROWS_SUMS,
                               (const jlong *)groups[i].sums);
  }
  return count;
}
