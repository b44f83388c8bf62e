/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The host's half of split work: a plan is cut into windows of docs,
 * the device's own threads get as many as they take (csd_wire.h: INIT_TSK, READ_PROC, FINAL), the
 * caller's thread does the others with the same engine, and both are made one result page. It is
 * the page of the plan in one go, but for work counters, and a count that is a lower bound.
 *
 * In the words of Summarizer (Koo et al., MICRO 2017, 3.3): STORE is WRITE; csd_split_begin and
 * csd_split_step do READ, COMPUTE and GATHER.
 *
 * A split belongs to one thread at a time. Functions fail as those of csd.h do.
 */
#ifndef CSD_SPLIT_H
#define CSD_SPLIT_H

#include "csd/csd.h"

#ifdef __cplusplus
extern "C" {
#endif

struct csd_split;

/** What became of the windows of a plan. */
struct csd_split_counts {
  uint32_t windows;     /**< that the plan was cut into */
  uint32_t device;      /**< done by the device */
  uint32_t raw;         /**< refused by the device, done by the host */
  uint32_t handed_back; /**< taken by the device, not done in time, done by the host */
};

/**
 * Opens two sessions with so many bytes of grant each, one for either side.
 *
 * @return 0, or a negated status: as OPEN, and NO_MEMORY, CLOSED
 */
int csd_split_create(struct csd_device *device, uint32_t grant_bytes, struct csd_split **split);

/**
 * For a device elsewhere, to which the caller sends commands in its own way: csd_split_step says
 * which. What the device does not do is done here, over pages that the caller copies from it.
 *
 * @param pages  a device in the process, with the pages at the same LBAs; it gets a session
 * @return as csd_split_create
 */
int csd_split_create_elsewhere(struct csd_device *pages, uint32_t grant_bytes,
                               struct csd_split **split);

/** Ends what is under way; call once. Fine after csd_device_close(). */
void csd_split_destroy(struct csd_split *split);

/** What csd_split_step wants if the device is elsewhere. */
enum {
  CSD_SPLIT_COMMAND = 2, /**< csd_split_command() sent, and csd_split_answer() called */
  CSD_SPLIT_PAGES = 3,   /**< the pages of csd_split_extents() in the process; asked once a plan */
};

/**
 * Begins a plan.
 *
 * @param plan     copied
 * @param windows  to cut it into, about; at least 1
 * @param mode     CSD_TASK_MODE_STATIC: all windows are the device's, which is waited for; or
 *                 CSD_TASK_MODE_DYNAMIC: a plan whose sums are of doubles is the host's, uncut. So
 *                 is a plan of mode SCORED_DOCS in either
 * @param waiting  windows that may wait in the device at once; 0: its default
 * @return 0, or a negated status: as the check of a plan, INVALID_ARGUMENT. 1 if the device is
 *         elsewhere, and has to run the plan as it is: it would not be cut, or has sets of docs,
 *         which the device alone has
 */
int csd_split_begin(struct csd_split *split, const void *plan, uint32_t plan_bytes,
                    uint32_t windows, uint32_t mode, uint32_t waiting);

/**
 * Goes on for a while.
 *
 * @param budget  as of csd_queue_poll
 * @return 1 if there is more to do, 0 if the result page is complete, or a negated status, with the
 *         plan ended. Windows that the device runs then end by themselves, or by the next call. Or
 *         CSD_SPLIT_COMMAND or CSD_SPLIT_PAGES
 */
int csd_split_step(struct csd_split *split, uint64_t budget);

/**
 * The command that csd_split_step wants sent, for a session of the caller's: `cdw10` and `data` are
 * to be replaced, the latter by the plan, or by room for a result page.
 */
const struct csd_submission *csd_split_command(const struct csd_split *split);

/**
 * Says what became of that command, which has succeeded; if it fails, the plan is to be aborted.
 *
 * @param data  of FETCH: what came; copied
 * @return 0, or a negated status: INVALID_ARGUMENT
 */
int csd_split_answer(struct csd_split *split, uint32_t dw0, const void *data, uint32_t bytes);

/** The extents of the plan's lists and columns, each a csd_extent. Returns how many they are. */
uint32_t csd_split_extents(const struct csd_split *split, const uint8_t **extents);

/**
 * Ends a plan before its end. Harmless if there is none. A task elsewhere is the caller's to end.
 */
void csd_split_abort(struct csd_split *split);

/** The result page of a plan that has ended well. Valid until the next begin. */
const uint8_t *csd_split_page(const struct csd_split *split, uint32_t *bytes);

/** Of the latest plan that has ended well. */
struct csd_split_counts csd_split_get_counts(const struct csd_split *split);

#ifdef __cplusplus
}
#endif

#endif
