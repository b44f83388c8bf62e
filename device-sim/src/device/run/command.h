/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Runs the commands of a queue. */
#ifndef CSD_COMMAND_H
#define CSD_COMMAND_H

#include "device/run/device_parts.h"

/**
 * Begins a command or continues it.
 *
 * @param budget  in postings; lowered by the work done
 * @param dw0     set to dword 0 of the completion
 * @return 0, CSD_COMMAND_PENDING, or a negated status
 */
int csd_command_run(struct csd_queue *queue, const struct csd_submission *command, uint64_t *budget,
                    uint32_t *dw0);

#endif
