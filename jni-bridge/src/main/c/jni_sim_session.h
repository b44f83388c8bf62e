/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A session behind a handle of org.luceneoffload.sim.SimSession. */
#ifndef CSD_JNI_SIM_SESSION_H
#define CSD_JNI_SIM_SESSION_H

#include <jni.h>

#include "csd/csd.h"
#include "csd/csd_split.h"

struct bridge_session {
  struct csd_device *device;
  struct csd_split *split; /* NULL: no plan has been split yet */
  bool splitting;          /* the plan that is under way is split */
  uint32_t grant_bytes;
  struct csd_queue *queue;
  uint32_t session; /* the engine's number */
  const uint8_t *plan;
  uint32_t plan_bytes; /* size of the plan buffer */
  uint8_t *result;
  uint32_t result_bytes; /* size of the result buffer */
  uint32_t most_bytes;   /* of a plan's page that is fetched whole; of a larger one the header is */
};

/**
 * Goes on with the command that is under way.
 *
 * @param dw0  set to dword 0 of its completion once it is done
 * @return 1 if it is done, 0 if there is more to do, or -status
 */
jlong bridge_go_on(JNIEnv *env, struct bridge_session *session, jlong budget, uint32_t *dw0,
                   jbyteArray trail);

/** Fetches what a plan or task has left into the result buffer; returns its bytes, or -status. */
jlong bridge_fetch_result(JNIEnv *env, struct bridge_session *session, uint32_t bytes,
                          jbyteArray trail);

#endif
