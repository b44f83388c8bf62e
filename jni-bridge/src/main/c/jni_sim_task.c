/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Glue of org.luceneoffload.sim.SimTask: the commands of a task, one at a time. */
#include "jni_commands.h"
#include "jni_sim_session.h"

/** Goes on with the command; returns dword 0 plus 1, 0 if there is more to do, or -status. */
static jlong go_on(JNIEnv *env, struct bridge_session *session, jlong budget, jbyteArray trail) {
  uint32_t dw0;
  const jlong done = bridge_go_on(env, session, budget, &dw0, trail);
  return done <= 0 ? done : (jlong)dw0 + 1;
}

static bool is_of_a_task(jint opcode) {
  return opcode == CSD_OPCODE_INIT_TSK || opcode == CSD_OPCODE_READ_PROC ||
         opcode == CSD_OPCODE_READ_FILT || opcode == CSD_OPCODE_FINAL;
}

/**
 * Sends a command of a task: INIT_TSK, of the plan in the plan buffer, READ_PROC, READ_FILT or
 * FINAL.
 *
 * @param dword11 to dword13: those of the command
 * @return dword 0 plus 1; 0 if there is more to do; or -status
 */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimTask_nativeCommand(JNIEnv *env, jclass type,
                                                                         jlong handle, jint opcode,
                                                                         jint dword11, jint dword12,
                                                                         jint dword13, jlong budget,
                                                                         jbyteArray trail) {
  (void)type;
  struct bridge_session *const session = bridge_pointer(handle);
  const bool begins = opcode == CSD_OPCODE_INIT_TSK;
  if (!is_of_a_task(opcode) || budget < 1 ||
      (begins && (dword11 < 0 || (uint32_t)dword11 > session->plan_bytes))) {
    return bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "no such command of a task");
  }
  const struct csd_submission command = {
      .opcode = (uint8_t)opcode,
      .nsid = 1,
      .data = begins ? (uintptr_t)session->plan : 0,
      .data_bytes = begins ? (uint32_t)dword11 : 0,
      .cdw10 = session->session,
      .cdw11 = (uint32_t)dword11,
      .cdw12 = (uint32_t)dword12,
      .cdw13 = (uint32_t)dword13,
  };
  const int status = csd_queue_submit(session->queue, &command, 1);
  return status < 0 ? bridge_fail(env, trail, status) : go_on(env, session, budget, trail);
}

/** Goes on with the command; returns as nativeCommand. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimTask_nativeContinue(JNIEnv *env, jclass type,
                                                                          jlong handle,
                                                                          jlong budget,
                                                                          jbyteArray trail) {
  (void)type;
  return budget < 1
             ? bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "the budget is not positive")
             : go_on(env, bridge_pointer(handle), budget, trail);
}

/** Fetches the page that READ_FILT or FINAL has left; returns its bytes, or -status. */
JNIEXPORT jlong JNICALL Java_org_luceneoffload_sim_SimTask_nativePage(JNIEnv *env, jclass type,
                                                                      jlong handle, jint bytes,
                                                                      jbyteArray trail) {
  (void)type;
  struct bridge_session *const session = bridge_pointer(handle);
  return bytes < 0 ? bridge_refuse(env, trail, CSD_STATUS_INVALID_ARGUMENT, "bytes are negative")
                   : bridge_fetch_result(env, session, (uint32_t)bytes, trail);
}
