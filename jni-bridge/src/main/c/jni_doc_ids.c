/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.sim.SimSession: doc IDs of a result page, checked and copied. */
#include <string.h>

#include "csd/csd_docs.h"
#include "jni_commands.h"
#include "jni_sim_session.h"
#include "jni_support.h"

/* Doc IDs that are checked and copied together, while they are in the first-level cache. */
enum { AT_ONCE = 2048 };

/**
 * Copies `count` doc IDs from byte `from` of a direct buffer to the start of an array.
 *
 * @return whether none is negative and each is greater than the one before it
 */
JNIEXPORT jboolean JNICALL Java_org_luceneoffload_sim_SimSession_nativeCopyAscending(
    JNIEnv *env, jclass type, jobject page, jint from, jint count, jintArray docs) {
  (void)type;
  if (from < 0 || from % 4 != 0 || count < 1 || count > (*env)->GetArrayLength(env, docs)) {
    return JNI_FALSE;
  }
  const void *const range = bridge_range(env, page, from, 4 * (jlong)count);
  /*
   * A critical section, which may make a garbage collection wait: nothing in it blocks or calls
   * the JVM, and a result page bounds it to well below a millisecond. Copying by SetIntArrayRegion
   * after each look takes a third longer.
   */
  int32_t *const dst = range == NULL ? NULL : (*env)->GetPrimitiveArrayCritical(env, docs, NULL);
  if (dst == NULL) {
    return JNI_FALSE;
  }
  const int32_t *const src = range;
  const size_t n = (size_t)count;
  dst[0] = src[0];
  int32_t bad = src[0];
  for (size_t i = 1; i < n; i += AT_ONCE) {
    const size_t some = n - i < AT_ONCE ? n - i : AT_ONCE;
    bad |= csd_docs_disorder(src + i, some);
    memcpy(dst + i, src + i, some * sizeof *src);
  }
  (*env)->ReleasePrimitiveArrayCritical(env, docs, dst, 0);
  return bad >= 0;
}

/* Fetches doc IDs from byte `from` of the session's result; returns the status. */
static int fetch_some(const struct bridge_session *session, uint32_t from, size_t n, int32_t *dst) {
  const uint32_t bytes = 4u * (uint32_t)n;
  const struct csd_submission fetch = {
      .opcode = CSD_OPCODE_FETCH,
      .nsid = 1,
      .data = (uintptr_t)dst,
      .data_bytes = bytes,
      .cdw10 = session->session,
      .cdw11 = from,
      .cdw12 = bytes,
  };
  uint32_t fetched = 0;
  const int status = bridge_run(session->queue, &fetch, &fetched);
  return status < 0 || fetched == bytes ? status : -CSD_STATUS_INTERNAL;
}

/**
 * Fetches `count` doc IDs from byte `from` of the latest plan's result to the start of an array.
 *
 * @return 1 if none is negative and each is greater than the one before it, else 0; or -status
 */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimSession_nativeFetchAscending(
    JNIEnv *env, jclass type, jlong handle, jint from, jint count, jintArray docs,
    jbyteArray trail) {
  (void)type;
  const struct bridge_session *const session = bridge_pointer(handle);
  if (from < 0 || count < 1 || count > (*env)->GetArrayLength(env, docs)) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "no such doc IDs");
  }
  /* As above: FETCH waits for nobody. */
  int32_t *const dst = (*env)->GetPrimitiveArrayCritical(env, docs, NULL);
  if (dst == NULL) {
    return bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  }
  const size_t n = (size_t)count;
  int32_t bad = 0;
  int status = 0;
  for (size_t i = 0; i < n && status == 0; i += AT_ONCE) {
    const size_t some = n - i < AT_ONCE ? n - i : AT_ONCE;
    status = fetch_some(session, (uint32_t)from + 4u * (uint32_t)i, some, dst + i);
    if (status == 0) {
      bad |=
          i == 0 ? dst[0] | csd_docs_disorder(dst + 1, some - 1) : csd_docs_disorder(dst + i, some);
    }
  }
  (*env)->ReleasePrimitiveArrayCritical(env, docs, dst, 0);
  return status < 0 ? bridge_fail(env, trail, status) : bad >= 0;
}
