/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.sim.SimSession: a plan is submitted and fetched in one call. */
#include "jni_sim_session.h"

#include <stdlib.h>
#include <string.h>

#include "jni_commands.h"

/* Entries of a session's queue: one command is under way at a time. */
enum { QUEUE_DEPTH = 2 };

/** Opens a session over two buffers that Java keeps until close; returns a handle. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimSession_nativeOpen(
    JNIEnv *env, jclass type, jlong device_handle, jobject plan, jobject result, jint grant_bytes,
    jbyteArray trail) {
  (void)type;
  const struct bridge_device *const device = bridge_pointer(device_handle);
  const jlong plan_bytes = (*env)->GetDirectBufferCapacity(env, plan);
  const jlong result_bytes = (*env)->GetDirectBufferCapacity(env, result);
  struct bridge_session *const session = malloc(sizeof(*session));
  if (session == NULL) {
    return bridge_refuse(env, trail, CSD_STATUS_NO_MEMORY, "out of host memory");
  }
  session->device = device->device;
  session->split = NULL;
  session->splitting = false;
  session->most_bytes = UINT32_MAX;
  session->grant_bytes = (uint32_t)grant_bytes;
  session->plan = bridge_range(env, plan, 0, plan_bytes);
  session->plan_bytes = (uint32_t)plan_bytes;
  session->result = bridge_range(env, result, 0, result_bytes);
  session->result_bytes = (uint32_t)result_bytes;
  if (session->plan == NULL || session->result == NULL || grant_bytes < 0) {
    free(session);
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "a buffer is not direct");
  }
  int status = csd_queue_create(device->device, QUEUE_DEPTH, &session->queue);
  if (status < 0) {
    bridge_fail(env, trail, status);
    free(session);
    return status;
  }
  const struct csd_submission open = {
      .opcode = CSD_OPCODE_OPEN, .nsid = 1, .cdw10 = (uint32_t)grant_bytes};
  status = bridge_run(session->queue, &open, &session->session);
  if (status < 0) {
    bridge_fail(env, trail, status);
    csd_queue_destroy(session->queue);
    free(session);
    return status;
  }
  return bridge_handle(session);
}

/** Fetches the first `some` of the `bytes` of a result into the result buffer. */
static jlong fetch_some(JNIEnv *env, struct bridge_session *session, uint32_t bytes, uint32_t some,
                        jbyteArray trail) {
  if (bytes > session->result_bytes) {
    return bridge_refuse(env, trail, CSD_STATUS_INTERNAL,
                         "the result page is larger than the session's buffer");
  }
  const struct csd_submission fetch = {
      .opcode = CSD_OPCODE_FETCH,
      .nsid = 1,
      .data = (uintptr_t)session->result,
      .data_bytes = some,
      .cdw10 = session->session,
      .cdw12 = some,
  };
  uint32_t fetched = 0;
  const int status = bridge_run(session->queue, &fetch, &fetched);
  return status < 0 ? bridge_fail(env, trail, status) : (jlong)fetched;
}

jlong bridge_fetch_result(JNIEnv *env, struct bridge_session *session, uint32_t bytes,
                          jbyteArray trail) {
  return fetch_some(env, session, bytes, bytes, trail);
}

jlong bridge_go_on(JNIEnv *env, struct bridge_session *session, jlong budget, uint32_t *dw0,
                   jbyteArray trail) {
  struct csd_completion completion;
  const int count = csd_queue_poll(session->queue, &completion, 1, (uint64_t)budget);
  if (count <= 0) {
    return count < 0 ? bridge_fail(env, trail, count) : 0;
  }
  const int status = csd_completion_status(&completion);
  if (status != 0) {
    return bridge_fail(env, trail, -status);
  }
  *dw0 = completion.dw0;
  return 1;
}

/** With the bytes of a result: its plan has asked storage for pages. SimSession has the same. */
#define PLAN_HAS_ASKED ((jlong)1 << 40)

/**
 * Goes on with the plan; returns bytes of the result, perhaps with PLAN_HAS_ASKED, 0 if there is
 * more to do, or -status.
 */
static jlong go_on(JNIEnv *env, struct bridge_session *session, jlong budget, jbyteArray trail) {
  uint32_t bytes;
  const jlong done = bridge_go_on(env, session, budget, &bytes, trail);
  if (done <= 0) {
    return done;
  }
  const bool whole = bytes <= session->most_bytes;
  const uint32_t some = whole ? bytes : (uint32_t)sizeof(struct csd_result_header);
  jlong fetched = fetch_some(env, session, bytes, some, trail);
  fetched = fetched > 0 && !whole ? (jlong)bytes : fetched;
  return fetched > 0 && csd_queue_has_asked(session->queue) ? fetched | PLAN_HAS_ASKED : fetched;
}

/** Submits the plan in the plan buffer and goes on with it. */
static jlong begin_plan(JNIEnv *env, struct bridge_session *session, jint plan_bytes,
                        jint most_bytes, jlong budget, jbyteArray trail) {
  if (plan_bytes < 0 || most_bytes < (jint)sizeof(struct csd_result_header) ||
      (uint32_t)plan_bytes > session->plan_bytes || budget < 1) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT,
                         "the plan is longer than the plan buffer");
  }
  session->most_bytes = (uint32_t)most_bytes;
  const struct csd_submission submit = {
      .opcode = CSD_OPCODE_SUBMIT,
      .nsid = 1,
      .data = (uintptr_t)session->plan,
      .data_bytes = (uint32_t)plan_bytes,
      .cdw10 = session->session,
      .cdw11 = (uint32_t)plan_bytes,
  };
  const int status = csd_queue_submit(session->queue, &submit, 1);
  if (status < 0) {
    return bridge_fail(env, trail, status);
  }
  return go_on(env, session, budget, trail);
}

/**
 * Submits the plan in the plan buffer and runs it for `budget` postings.
 *
 * @param most_bytes  of a result that is fetched whole; of a larger one the header is
 * @return bytes of the result, now in the result buffer; 0 if there is more to do; or -status
 */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimSession_nativeExecute(
    JNIEnv *env, jclass type, jlong handle, jint plan_bytes, jint most_bytes, jlong budget,
    jbyteArray trail) {
  (void)type;
  return begin_plan(env, bridge_pointer(handle), plan_bytes, most_bytes, budget, trail);
}

/** Goes on with a plan that is split; returns as go_on. */
static jlong go_on_split(JNIEnv *env, struct bridge_session *session, jlong budget,
                         jbyteArray trail) {
  const int status = csd_split_step(session->split, (uint64_t)budget);
  if (status > 0) {
    return 0;
  }
  session->splitting = false;
  if (status < 0) {
    return bridge_fail(env, trail, status);
  }
  uint32_t bytes;
  const uint8_t *const page = csd_split_page(session->split, &bytes);
  if (bytes > session->result_bytes) {
    return bridge_refuse(env, trail, CSD_STATUS_INTERNAL,
                         "the result page is larger than the session's buffer");
  }
  memcpy(session->result, page, bytes);
  return (jlong)bytes;
}

/**
 * Begins the plan in the plan buffer, split into windows between the device's threads and this one.
 *
 * @return as nativeExecute
 */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimSession_nativeSplit(
    JNIEnv *env, jclass type, jlong handle, jint plan_bytes, jint windows, jint mode, jlong budget,
    jbyteArray trail) {
  (void)type;
  struct bridge_session *const session = bridge_pointer(handle);
  if (plan_bytes < 0 || (uint32_t)plan_bytes > session->plan_bytes || budget < 1 || windows < 1) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT,
                         "the plan is longer than the plan buffer");
  }
  int status = 0;
  if (session->split == NULL) {
    status = csd_split_create(session->device, session->grant_bytes, &session->split);
  }
  if (status == -CSD_STATUS_TOO_MANY_SESSIONS || status == -CSD_STATUS_NO_MEMORY) {
    return begin_plan(env, session, plan_bytes, INT32_MAX, budget,
                      trail); /* no room for two more sessions */
  }
  if (status == 0) {
    status = csd_split_begin(session->split, session->plan, (uint32_t)plan_bytes, (uint32_t)windows,
                             (uint32_t)mode, 0);
  }
  if (status < 0) {
    return bridge_fail(env, trail, status);
  }
  session->splitting = true;
  return go_on_split(env, session, budget, trail);
}

/** What became of the latest plan's windows, as bridge_split_counts has it. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimSession_nativeSplitCounts(JNIEnv *env,
                                                                                jclass type,
                                                                                jlong handle) {
  (void)env;
  (void)type;
  const struct bridge_session *const session = bridge_pointer(handle);
  return session->split != NULL ? bridge_split_counts(session->split) : 0;
}

/** Runs the submitted plan for another `budget` postings; returns as nativeExecute. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimSession_nativeContinue(
    JNIEnv *env, jclass type, jlong handle, jlong budget, jbyteArray trail) {
  (void)type;
  if (budget < 1) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the budget is not positive");
  }
  struct bridge_session *const session = bridge_pointer(handle);
  return session->splitting ? go_on_split(env, session, budget, trail)
                            : go_on(env, session, budget, trail);
}

/** Asks for pages that plans to come will read: pairs of an LBA and a number of pages. */
JNIEXPORT void JNICALL Java_org_luceneoffload_sim_SimSession_nativeAsk(JNIEnv *env, jclass type,
                                                                       jlong handle,
                                                                       jlongArray pairs,
                                                                       jint count) {
  (void)type;
  enum { AT_ONCE = 64 };
  const struct bridge_session *const session = bridge_pointer(handle);
  for (jint from = 0; from < count; from += AT_ONCE) {
    struct csd_lba_run runs[AT_ONCE];
    jlong words[2 * AT_ONCE];
    const jint some = count - from < AT_ONCE ? count - from : AT_ONCE;
    (*env)->GetLongArrayRegion(env, pairs, 2 * from, 2 * some, words);
    if ((*env)->ExceptionCheck(env)) {
      return; /* the array is shorter than that */
    }
    for (jint i = 0; i < some; i++) {
      runs[i] =
          (struct csd_lba_run){.lba = (uint64_t)words[2 * i], .count = (uint64_t)words[2 * i + 1]};
    }
    if (csd_queue_ask(session->queue, runs, (uint32_t)some) < 0) {
      return; /* whoever reads the pages finds out why */
    }
  }
}

/** Ends the submitted plan, if there is one, and takes its completion. */
static void end_plan(struct bridge_session *session) {
  struct csd_completion completion;
  if (session->splitting) {
    csd_split_abort(session->split);
    session->splitting = false;
  }
  if (csd_queue_pending(session->queue) == 0) {
    return;
  }
  csd_queue_abort(session->queue);
  while (csd_queue_pending(session->queue) > 0 &&
         csd_queue_poll(session->queue, &completion, 1, CSD_BUDGET_UNLIMITED) >= 0) {
  }
}

/** Ends the submitted plan, so that the session can run the next one. */
JNIEXPORT void JNICALL Java_org_luceneoffload_sim_SimSession_nativeAbort(JNIEnv *env, jclass type,
                                                                         jlong handle) {
  (void)env;
  (void)type;
  end_plan(bridge_pointer(handle));
}

/** Ends the submitted plan, closes the session on the device and frees the handle. */
JNIEXPORT void JNICALL Java_org_luceneoffload_sim_SimSession_nativeClose(JNIEnv *env, jclass type,
                                                                         jlong handle) {
  (void)env;
  (void)type;
  struct bridge_session *const session = bridge_pointer(handle);
  const struct csd_submission close = {
      .opcode = CSD_OPCODE_CLOSE, .nsid = 1, .cdw10 = session->session};
  end_plan(session);
  if (session->split != NULL) {
    csd_split_destroy(session->split);
  }
  /* Fails if the device is gone, and with it the session: there is nothing to tell. */
  (void)bridge_run(session->queue, &close, NULL);
  csd_queue_destroy(session->queue);
  free(session);
}
