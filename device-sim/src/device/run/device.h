/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What the files of a device need of it beside its parts. */
#ifndef CSD_DEVICE_H
#define CSD_DEVICE_H

#include "device/run/device_parts.h"

/** Returns the capabilities of a device. */
struct csd_device_info csd_device_info_of(const struct csd_device *device);

/** Adds the counters of a queue to statistics. */
void csd_counts_add(const struct csd_counts *counts, struct csd_device_stats *stats);

/** Releases one reference to a device; the last one frees it. The caller does not hold its lock. */
void csd_device_release(struct csd_device *device);

#endif
