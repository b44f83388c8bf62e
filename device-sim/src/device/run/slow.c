/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/run/slow.h"

#include <time.h>

#include "base/timed_wait.h"
#include "device/run/device_parts.h"

static bool is_slow(const struct csd_queue *queue) { return queue->device->slow > 1; }

uint64_t csd_slow_begin(const struct csd_queue *queue) {
  return is_slow(queue) ? csd_clock_ns(CLOCK_THREAD_CPUTIME_ID) : 0;
}

void csd_slow_end(struct csd_queue *queue, uint64_t began) {
  if (is_slow(queue)) {
    const uint64_t worked = csd_clock_ns(CLOCK_THREAD_CPUTIME_ID) - began;
    const uint64_t wait = worked * (queue->device->slow - 1);
    csd_count(&queue->counts.worked_ns, worked);
    csd_count(&queue->counts.slowed_ns, wait);
    csd_wait_until(csd_clock_ns(CLOCK_MONOTONIC) + wait);
  }
}
