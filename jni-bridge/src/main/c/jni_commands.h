/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Running one command of a device of the engine. */
#ifndef CSD_JNI_COMMANDS_H
#define CSD_JNI_COMMANDS_H

#include "csd/csd.h"
#include "csd/csd_split.h"
#include "jni_support.h"

/** The engine's device behind a handle. */
struct bridge_device {
  struct csd_device *device;
};

/**
 * Runs one command to its end on an otherwise empty queue.
 *
 * @param dw0  set to dw0 of the completion; NULL if not wanted
 * @return 0, or a negated status: of the call or of the command
 */
int bridge_run(struct csd_queue *queue, const struct csd_submission *submission, uint32_t *dw0);

/**
 * Runs one command on a queue of its own: block commands come from any thread, a queue belongs to
 * one at a time. Returns 0, or a negated status with the trail in `trail` (null: not wanted).
 */
int bridge_run_alone(JNIEnv *env, const struct bridge_device *device,
                     const struct csd_submission *submission, uint32_t *dw0, jbyteArray trail);

/** What became of the latest plan's windows, 16 bits each: all, device, raw, handed back. */
jlong bridge_split_counts(const struct csd_split *split);

#endif
