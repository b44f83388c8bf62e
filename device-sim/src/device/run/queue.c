/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A queue is a ring of submissions. Completions go to the caller at once, with the phase tag that
   they would have in a completion queue of the same depth. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/run/command.h"
#include "device/run/device.h"
#include "device/run/run.h"

/* Enters a queue. It sets the mark first and reads `closing` then; csd_device_close sets `closing`
   first and takes the marks then. So one of the two sees the other. */
static int enter(struct csd_queue *queue) {
  const bool taken = atomic_flag_test_and_set(&queue->entered);
  if (atomic_load(&queue->device->closing)) {
    if (!taken) {
      atomic_flag_clear(&queue->entered);
    }
    return csd_fail(CSD_STATUS_CLOSED, "queue %u: the device is closed", queue->id);
  }
  return taken ? csd_fail(CSD_STATUS_BUSY, "queue %u: another thread is inside", queue->id) : 0;
}

static void leave(struct csd_queue *queue) { atomic_flag_clear(&queue->entered); }

static void link_queue(struct csd_device *device, struct csd_queue *queue) {
  queue->id = ++device->next_queue_id; /* wraps after 65,535; only a name */
  queue->next = device->queues;
  if (queue->next != NULL) {
    queue->next->previous = queue;
  }
  device->queues = queue;
  device->references++;
}

static void free_queue(struct csd_queue *queue) {
  free(queue->ring);
  free(queue->page);
  free(queue->written);
  free(queue);
}

int csd_queue_create(struct csd_device *device, uint32_t depth, struct csd_queue **out) {
  if (device == NULL || out == NULL || depth == 0 || depth > CSD_MAX_QUEUE_DEPTH) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "a queue of depth %u", depth);
  }
  struct csd_queue *queue = calloc(1, sizeof *queue);
  if (queue != NULL) {
    queue->ring = calloc(depth, sizeof *queue->ring);
    queue->page = calloc(1, CSD_FRAME_BYTES);
    queue->written = calloc(CSD_MAX_TRANSFER_BYTES / CSD_LBA_BYTES, sizeof *queue->written);
  }
  if (queue == NULL || queue->ring == NULL || queue->page == NULL || queue->written == NULL) {
    if (queue != NULL) {
      free_queue(queue);
    }
    return csd_fail(CSD_STATUS_NO_MEMORY, "a queue of depth %u", depth);
  }
  queue->device = device;
  queue->depth = depth;
  atomic_flag_clear(&queue->entered);
  pthread_mutex_lock(&device->lock);
  const bool closed = device->closed;
  if (!closed) {
    link_queue(device, queue);
  }
  pthread_mutex_unlock(&device->lock);
  if (closed) {
    free_queue(queue);
    return csd_fail(CSD_STATUS_CLOSED, "the device is closed");
  }
  *out = queue;
  return 0;
}

void csd_queue_destroy(struct csd_queue *queue) {
  if (queue == NULL) {
    return;
  }
  struct csd_device *device = queue->device;
  pthread_mutex_lock(&device->lock);
  csd_run_end(queue); /* nothing if csd_device_close has done it */
  csd_counts_add(&queue->counts, &device->retired);
  if (queue->next != NULL) {
    queue->next->previous = queue->previous;
  }
  if (queue->previous != NULL) {
    queue->previous->next = queue->next;
  }
  if (device->queues == queue) {
    device->queues = queue->next;
  }
  pthread_mutex_unlock(&device->lock);
  free_queue(queue);
  csd_device_release(device);
}

int csd_queue_submit(struct csd_queue *queue, const struct csd_submission *submissions,
                     uint32_t count) {
  if (queue == NULL || (submissions == NULL && count > 0)) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "submit without a queue or submissions");
  }
  int status = enter(queue);
  if (status < 0) {
    return status;
  }
  const uint64_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
  const uint32_t room = queue->depth - (uint32_t)(tail - queue->head);
  if (count > room) {
    status = csd_fail(CSD_STATUS_QUEUE_FULL, "queue %u: %u commands, room for %u", queue->id, count,
                      room);
  } else {
    for (uint32_t i = 0; i < count; i++) {
      queue->ring[(tail + i) % queue->depth] = submissions[i];
    }
    atomic_store(&queue->tail, tail + count);
  }
  leave(queue);
  return status;
}

static struct csd_completion complete(struct csd_queue *queue, uint16_t command_id, int status,
                                      uint32_t dw0) {
  const uint64_t pass = queue->head / queue->depth;
  queue->head++;
  csd_count(&queue->counts.commands, 1);
  if (status < 0) {
    csd_count(&queue->counts.commands_failed, 1);
  }
  return (struct csd_completion){
      .dw0 = status == 0 ? dw0 : 0,
      .sq_head = (uint16_t)(queue->head % queue->depth),
      .sq_id = queue->id,
      .command_id = command_id,
      .phase_status = (uint16_t)((unsigned)-status << 1 | ((pass & 1) == 0))};
}

int csd_queue_poll(struct csd_queue *queue, struct csd_completion *completions, uint32_t max,
                   uint64_t budget) {
  if (queue == NULL || completions == NULL || max == 0 || budget == 0) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                    "poll without a queue, room for completions, or budget");
  }
  int status = enter(queue);
  if (status < 0) {
    return status;
  }
  uint32_t count = 0;
  while (count < max && count < INT32_MAX &&
         queue->head < atomic_load_explicit(&queue->tail, memory_order_relaxed)) {
    const struct csd_submission *command = &queue->ring[queue->head % queue->depth];
    uint32_t dw0;
    status = csd_command_run(queue, command, &budget, &dw0);
    if (status == CSD_COMMAND_PENDING) {
      break;
    }
    completions[count++] = complete(queue, command->command_id, status, dw0);
  }
  leave(queue);
  return (int)count;
}

int csd_queue_sync(struct csd_queue *queue) {
  if (queue == NULL) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "sync without a queue");
  }
  int status = enter(queue);
  if (status == 0) {
    status = csd_store_flush(&queue->device->store);
    leave(queue);
  }
  return status;
}

int csd_queue_ask(struct csd_queue *queue, const struct csd_lba_run *runs, uint32_t count) {
  if (queue == NULL || (runs == NULL && count > 0)) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "ask without a queue or runs");
  }
  const int status = enter(queue);
  if (status == 0) {
    for (uint32_t i = 0; i < count; i++) {
      csd_run_ask_ahead(queue, runs[i].lba, runs[i].count);
    }
    leave(queue);
  }
  return status;
}

bool csd_queue_has_asked(struct csd_queue *queue) {
  const uint64_t asks = atomic_load_explicit(&queue->counts.dram.asks, memory_order_relaxed);
  const bool asked = asks != queue->asks_told;
  queue->asks_told = asks;
  return asked;
}

uint32_t csd_queue_pending(const struct csd_queue *queue) {
  return (uint32_t)(atomic_load_explicit(&queue->tail, memory_order_relaxed) - queue->head);
}

void csd_queue_abort(struct csd_queue *queue) {
  atomic_store_explicit(&queue->abort_before, atomic_load(&queue->tail), memory_order_release);
}
