/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A device owns its parts; it opens and closes them in order. */
#include "device/run/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "device/run/run.h"
#include "device/run/task.h"
#include "timing/timing.h"

#define DEFAULT_CAPACITY_BYTES (UINT64_C(64) << 30)
#define MAX_CAPACITY_BYTES (UINT64_C(64) << 40)
#define DEFAULT_DRAM_BYTES (UINT64_C(1) << 30)
#define DEFAULT_RESOURCE_BYTES (UINT64_C(1) << 30)
#define MAX_SLOW 1000
#define DEFAULT_MODEL "csd in-process device"

typedef unsigned long long ull;

static uint64_t default_dram_bytes(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) {
    return DEFAULT_DRAM_BYTES;
  }
  const uint64_t quarter = (uint64_t)pages * (uint64_t)page_bytes / 4;
  return quarter < DEFAULT_DRAM_BYTES ? quarter : DEFAULT_DRAM_BYTES;
}

/* Chooses the kernels that the options name, else those of CSD_KERNELS, which is for tests. */
static int choose_kernels(const struct csd_device_options *o, const struct csd_kernels **kernels) {
  const char *variable = getenv("CSD_KERNELS");
  const char *name = o->kernels != NULL ? o->kernels : variable;
  const bool any = name == NULL || name[0] == 0;
  *kernels = any ? csd_kernels_choose() : csd_kernels_find(name);
  if (*kernels != NULL) {
    return 0;
  }
  return csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                  "device: %s \"%.32s\" names no kernels that this machine can run",
                  o->kernels != NULL ? "option kernels" : "variable CSD_KERNELS", name);
}

static int check_options(const struct csd_device_options *o) {
  if (o->path == NULL || o->path[0] == 0) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "device: no path");
  }
  if (o->capacity_bytes % CSD_LBA_BYTES != 0 || o->capacity_bytes > MAX_CAPACITY_BYTES) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "device: a capacity of %llu bytes",
                    (ull)o->capacity_bytes);
  }
  if (o->task_threads > CSD_MAX_TASK_THREADS) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "device: %u task threads", o->task_threads);
  }
  if (o->raw_percent > 100) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "device: %u percent raw", o->raw_percent);
  }
  if (o->slow > MAX_SLOW) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "device: cores %u times as slow", o->slow);
  }
  if (o->max_sessions > CSD_MAX_SESSIONS) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "device: %u sessions", o->max_sessions);
  }
  return 0;
}

/* Opens the parts in the order of their dependence. On failure, closes those that are open. */
static int open_parts(struct csd_device *d, const struct csd_device_options *o) {
  const uint64_t capacity = o->capacity_bytes != 0 ? o->capacity_bytes : DEFAULT_CAPACITY_BYTES;
  const uint32_t sessions = o->max_sessions != 0 ? o->max_sessions : CSD_DEFAULT_SESSIONS;
  d->dram_bytes = o->dram_bytes != 0 ? o->dram_bytes : default_dram_bytes();
  const enum csd_store_access access = o->read_only    ? CSD_STORE_READ
                                       : o->read_first ? CSD_STORE_READ_FIRST
                                                       : CSD_STORE_WRITE;
  int status = csd_store_open(&d->store, o->path, capacity / CSD_LBA_BYTES, access);
  if (status < 0) {
    return status;
  }
  status = csd_page_index_open(&d->index, d->store.lba_count,
                               o->index_bytes != 0 ? o->index_bytes : CSD_DEFAULT_INDEX_BYTES);
  if (status < 0) {
    goto close_store;
  }
  csd_page_index_attach(&d->index, &d->store, access == CSD_STORE_WRITE);
  if (o->direct) {
    (void)csd_store_read_directly(&d->store, CSD_READ_BEST, o->direct_bytes_per_s);
  }
  status = csd_dram_open(&d->dram, d->dram_bytes, &d->store, &d->index);
  if (status < 0) {
    goto close_index;
  }
  d->dram_bytes = d->dram.frame_count * CSD_FRAME_BYTES;
  const uint64_t session_bytes =
      o->session_bytes != 0 ? o->session_bytes : (uint64_t)sessions * CSD_MAX_GRANT_BYTES;
  status = csd_sessions_open(&d->sessions, sessions, session_bytes, o->boot);
  if (status < 0) {
    goto close_dram;
  }
  const uint64_t resource_bytes =
      o->resource_bytes != 0 ? o->resource_bytes : DEFAULT_RESOURCE_BYTES;
  status = csd_resources_open(&d->resources, resource_bytes, o->boot);
  if (status == 0) {
    d->task_programs = o->task_programs;
    d->task_program_count = o->task_program_count;
    csd_tasks_open(&d->tasks, o->task_threads, o->task_windows, o->raw_percent);
    return 0;
  }
  csd_sessions_close(&d->sessions);
close_dram:
  csd_dram_close(&d->dram);
close_index:
  csd_page_index_close(&d->index);
close_store:
  csd_store_close(&d->store);
  return status;
}

int csd_device_open(const struct csd_device_options *options, struct csd_device **device) {
  if (options == NULL || device == NULL) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "device: no options or no place for the device");
  }
  int status = check_options(options);
  if (status < 0) {
    return status;
  }
  struct csd_device *d = calloc(1, sizeof *d);
  if (d == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "device");
  }
  status = choose_kernels(options, &d->kernels);
  if (status == 0) {
    status = open_parts(d, options);
  }
  if (status < 0) {
    free(d);
    return status;
  }
  pthread_mutex_init(&d->lock, NULL);
  csd_timing_open(&d->timing);
  d->references = 1;
  d->slow = options->slow;
  snprintf(d->model, sizeof d->model, "%s",
           options->model != NULL ? options->model : DEFAULT_MODEL);
  *device = d;
  return 0;
}

int csd_device_open_for_writing(struct csd_device *device) {
  pthread_mutex_lock(&device->lock);
  const bool was_writable = atomic_load(&device->store.writable);
  const int status = csd_store_open_for_writing(&device->store);
  if (status == 0 && !was_writable) {
    csd_page_index_attach(&device->index, &device->store, true);
  }
  pthread_mutex_unlock(&device->lock);
  return status;
}

void csd_device_release(struct csd_device *device) {
  pthread_mutex_lock(&device->lock);
  const bool last = --device->references == 0;
  pthread_mutex_unlock(&device->lock);
  if (!last) {
    return;
  }
  csd_timing_close(&device->timing);
  pthread_mutex_destroy(&device->lock);
  free(device);
}

/* Waits until no thread is inside a queue, and sets the mark itself. None gets in meanwhile. */
static void wait_until_left(struct csd_queue *queue) {
  const struct timespec moment = {.tv_nsec = 50000};
  while (atomic_flag_test_and_set(&queue->entered)) {
    nanosleep(&moment, NULL);
  }
}

void csd_device_close(struct csd_device *device) {
  if (device == NULL) {
    return;
  }
  atomic_store(&device->closing, true);
  csd_tasks_stop(&device->tasks);
  pthread_mutex_lock(&device->lock);
  for (struct csd_queue *queue = device->queues; queue != NULL; queue = queue->next) {
    wait_until_left(queue);
    csd_run_end(queue); /* a program whose budget ran out still has pages pinned */
    atomic_flag_clear(&queue->entered);
  }
  csd_resources_close(&device->resources);
  csd_tasks_close(&device->tasks);
  csd_sessions_close(&device->sessions);
  csd_timing_clear(&device->timing);
  csd_dram_close(&device->dram);
  csd_page_index_close(&device->index);
  csd_store_close(&device->store);
  device->closed = true;
  pthread_mutex_unlock(&device->lock);
  csd_device_release(device);
}

#define ADD(to, from) stats->to += atomic_load_explicit(&counts->from, memory_order_relaxed)

void csd_counts_add(const struct csd_counts *counts, struct csd_device_stats *stats) {
  ADD(commands, commands);
  ADD(commands_failed, commands_failed);
  ADD(programs, programs);
  ADD(lbas_read, lbas_read);
  ADD(lbas_written, lbas_written);
  ADD(lbas_trimmed, lbas_trimmed);
  ADD(result_bytes, result_bytes);
  ADD(worked_ns, worked_ns);
  ADD(slowed_ns, slowed_ns);
  ADD(page_hits, dram.hits);
  ADD(page_loads, dram.loads);
  ADD(page_reloads, dram.reloads);
  ADD(page_asks, dram.asks);
  ADD(page_evictions, dram.evictions);
  ADD(page_rejects, dram.rejects);
}

void csd_device_get_stats(struct csd_device *device, struct csd_device_stats *stats) {
  struct csd_task_stats tasks;
  csd_tasks_get_stats(&device->tasks, &tasks);
  pthread_mutex_lock(&device->lock);
  *stats = device->retired;
  stats->tasks = tasks;
  for (const struct csd_queue *queue = device->queues; queue != NULL; queue = queue->next) {
    csd_counts_add(&queue->counts, stats);
  }
  stats->sessions_open = csd_sessions_open_count(&device->sessions);
  if (!device->closed) {
    csd_page_index_add_counts(&device->index, stats);
  }
  if (!device->closed && device->store.reader != NULL) {
    const struct csd_reader_counts reads = csd_reader_look(device->store.reader);
    stats->reads_ahead = reads.runs;
    stats->pages_read_ahead = reads.taken;
    stats->reads_deepest = reads.deepest;
  }
  pthread_mutex_lock(&device->resources.lock);
  stats->resources = device->resources.count;
  stats->resource_bytes = device->resources.bytes;
  pthread_mutex_unlock(&device->resources.lock);
  pthread_mutex_unlock(&device->lock);
}

void csd_device_get_memory(const struct csd_device *device, struct csd_device_memory *memory) {
  const uint64_t lbas = device->store.lba_count;
  const uint64_t system_page =
      (uint64_t)sysconf(_SC_PAGESIZE); /* each resource begins on a new one */
  *memory = (struct csd_device_memory){
      .pages = device->dram.frame_count *
               (CSD_FRAME_BYTES + sizeof(struct csd_frame) + sizeof *device->dram.queues.next),
      .index = csd_page_index_bytes(&device->index) + lbas * CSD_DRAM_LBA_BYTES + lbas / 8,
      .sessions = device->sessions.byte_limit + device->sessions.limit * sizeof(struct csd_session),
      .resources = device->resources.byte_limit +
                   CSD_MAX_RESOURCES * (system_page + sizeof(struct csd_resource_slot))};
}

struct csd_device_info csd_device_info_of(const struct csd_device *device) {
  struct csd_device_info info = {
      .magic = CSD_INFO_MAGIC,
      .version = CSD_WIRE_VERSION,
      .flags = CSD_INFO_FLAG_TASKS | CSD_INFO_FLAG_BM25_TABLES | CSD_INFO_FLAG_SERIES |
               (atomic_load(&device->store.writable) ? 0 : CSD_INFO_FLAG_READ_ONLY),
      .lba_bytes = CSD_LBA_BYTES,
      .page_bytes = CSD_PAGE_BYTES,
      .lba_count = device->store.lba_count,
      .dram_bytes = device->dram_bytes,
      .max_transfer_bytes = CSD_MAX_TRANSFER_BYTES,
      .max_plan_bytes = CSD_MAX_PLAN_BYTES,
      .max_result_bytes = CSD_MAX_RESULT_BYTES,
      .max_sessions = device->sessions.limit,
      .max_grant_bytes = CSD_MAX_GRANT_BYTES,
      .mode_bits = 1u << CSD_MODE_COUNT | 1u << CSD_MODE_DOCS | 1u << CSD_MODE_SCORED_DOCS |
                   1u << CSD_MODE_TOP_K | 1u << CSD_MODE_AGGREGATE | 1u << CSD_MODE_TOP_K_BY_COLUMN,
      .op_bits = CSD_OP_ALL_BITS};
  memcpy(info.model, device->model, sizeof info.model);
  snprintf((char *)info.kernels, sizeof info.kernels, "%s", device->kernels->name);
  return info;
}
