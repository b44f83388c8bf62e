/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * What the glue files share: handles, buffers and error trails.
 *
 * Rules of the boundary: a handle is an address that an open function gave to Java, 0 is none; Java
 * makes sure that no call is under way when a handle is freed. Buffers are direct; every range is
 * checked here again with 64-bit arithmetic. A failing function returns a negated csd_status and
 * leaves the engine's error trail in the byte array that its caller passed: the trail belongs to
 * the calling thread, which may be another one by the time of a second call.
 */
#ifndef CSD_JNI_SUPPORT_H
#define CSD_JNI_SUPPORT_H

#include <jni.h>

#include "csd/csd.h"

static inline void *bridge_pointer(jlong handle) { return (void *)(intptr_t)handle; }

static inline jlong bridge_handle(const void *pointer) { return (jlong)(intptr_t)pointer; }

/** Copies `text` into `trail` (null is allowed), cut to its length and zero padded. */
void bridge_trail(JNIEnv *env, jbyteArray trail, const char *text);

/** bridge_trail of the engine's last error; returns `status` unchanged. */
jlong bridge_fail(JNIEnv *env, jbyteArray trail, jlong status);

/** bridge_trail of a reason found here; returns -status. */
jlong bridge_refuse(JNIEnv *env, jbyteArray trail, enum csd_status status, const char *reason);

/**
 * Address of `bytes` bytes at `offset` of a direct buffer; NULL if it is not direct or shorter.
 */
uint8_t *bridge_range(JNIEnv *env, jobject buffer, jlong offset, jlong bytes);

/** Copies a struct out of a direct buffer; false if it is not direct or shorter. */
bool bridge_copy(JNIEnv *env, jobject buffer, void *to, size_t bytes);

#endif
