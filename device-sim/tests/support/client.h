/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A small host for tests: one device, commands one at a time, each checked by its status. */
#ifndef CSD_CLIENT_H
#define CSD_CLIENT_H

#include "csd/csd.h"

/** Opens a device over a scratch file of that name; prints and aborts if it cannot. */
struct csd_device *client_open(const char *name, uint64_t lba_count, uint64_t dram_bytes);

struct csd_queue *client_queue(struct csd_device *device);

/** Runs one command to its end. @return its dw0, or its negated status */
int64_t client_run(struct csd_queue *queue, const struct csd_submission *command);

/** Commands with their fields in place; all return as client_run. */
int64_t client_write(struct csd_queue *queue, uint64_t lba, const void *bytes, uint32_t count);
int64_t client_read(struct csd_queue *queue, uint64_t lba, void *bytes, uint32_t count);
int64_t client_trim(struct csd_queue *queue, uint64_t lba, uint32_t count);
int64_t client_session(struct csd_queue *queue, uint32_t grant_bytes);
int64_t client_close_session(struct csd_queue *queue, uint32_t session);
int64_t client_live_docs(struct csd_queue *queue, const void *bytes, uint32_t count);
int64_t client_drop(struct csd_queue *queue, uint32_t resource);

/** MODEL: `bytes` of a profile, the trace records to keep, flags. 0 bytes switch the model off. */
int64_t client_model(struct csd_queue *queue, const void *profile, uint32_t bytes,
                     uint32_t trace_records, uint32_t flags);

/** MODEL_FETCH: `count` bytes from byte `from` of what the model says (csd_model_data). */
int64_t client_told(struct csd_queue *queue, uint32_t session, uint32_t what, uint32_t from,
                    void *bytes, uint32_t count);

/**
 * Submits a plan and fetches its result page, with one submit call and as many poll calls as the
 * budget makes necessary.
 *
 * @return bytes of the result page, or the negated status of the SUBMIT or FETCH
 */
int64_t client_plan(struct csd_queue *queue, uint32_t session, const void *plan, uint32_t bytes,
                    void *result, uint32_t result_bytes, uint64_t budget);

#endif
