/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.sim.SimSession: doc IDs of a result page, checked and copied. */
#include <string.h>

#include "jni_support.h"

/* Doc IDs that are checked while they are in the first-level cache, and then copied from there. */
enum { AT_ONCE = 2048 };

/*
 * The loader chooses what suits the processor: this library uses nothing inside the engine, where
 * core/kernels/cpu_x86.h is asked.
 */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

/*
 * Copies `n` doc IDs; returns a number that is negative if one of them is, or is not greater than
 * the one before it. The one before the first is read, too.
 */
FOR_EACH_PROCESSOR
static int32_t copy_some(const int32_t *docs, size_t n, int32_t *restrict dst) {
  const int32_t *const before = docs - 1;
  int32_t bad = 0;
  for (size_t i = 0; i < n; i++) {
    /* Neither is negative, or that shows by itself: then the difference does not overflow. */
    bad |= docs[i] | (int32_t)((uint32_t)docs[i] - (uint32_t)before[i] - 1u);
  }
  memcpy(dst, docs, n * sizeof *docs);
  return bad;
}

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
    bad |= copy_some(src + i, n - i < AT_ONCE ? n - i : AT_ONCE, dst + i);
  }
  (*env)->ReleasePrimitiveArrayCritical(env, docs, dst, 0);
  return bad >= 0;
}
