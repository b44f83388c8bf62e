/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#ifndef CSD_READ_INDEX_H
#define CSD_READ_INDEX_H

#include "device/run/device_parts.h"

/**
 * Runs READ_IDX, after the check of the fields but the rule and the range.
 *
 * @param dw0  set to the bytes of its data
 */
int csd_read_index(struct csd_queue *queue, const struct csd_submission *command, uint32_t *dw0);

#endif
