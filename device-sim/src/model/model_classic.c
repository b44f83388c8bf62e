/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "csd/csd_model_classic.h"

enum { PAGE_LBAS = CSD_CLASSIC_PAGE_BYTES / CSD_LBA_BYTES };

/* 2^21 at most */
static uint32_t lbas_of(const struct csd_classic_list *list) {
  const uint64_t rounded = list->length + (uint64_t)CSD_CLASSIC_PAGE_ENTRIES - 1;
  return (uint32_t)(rounded / CSD_CLASSIC_PAGE_ENTRIES) * PAGE_LBAS;
}

/* ---- the recorder ---- */

void csd_model_classic_begin(struct csd_model_classic *recorder,
                             const struct csd_classic_request *request, struct csd_model_log *log) {
  *recorder = (struct csd_model_classic){.log = log};
  uint32_t lba = 0;
  for (uint32_t i = 0; i < request->list_count && i < CSD_CLASSIC_MAX_LISTS; i++) {
    recorder->first_lba[i] = lba;
    lba += lbas_of(&request->lists[i]);
  }
  log->opened_bytes = (uint64_t)request->list_count * CSD_MODEL_CLASSIC_METADATA_BYTES;
}

/* Adds an event with the work since the one before. */
static int add(struct csd_model_classic *recorder, enum csd_model_event_kind kind, uint32_t lba,
               uint64_t bytes, const struct csd_classic_counts *now) {
  const struct csd_classic_counts *before = &recorder->before;
  const uint64_t work[CSD_MODEL_WORK_SLOTS] = {
      [CSD_MODEL_WORK_LIST_READ] = now->list_reads - before->list_reads,
      [CSD_MODEL_WORK_PROBE_READ] = now->probe_reads - before->probe_reads,
      [CSD_MODEL_WORK_SCORE_READ] = now->score_reads - before->score_reads,
      [CSD_MODEL_WORK_RESULT_WRITE] = now->result_writes - before->result_writes,
      [CSD_MODEL_WORK_RESULT_READ] = now->result_reads - before->result_reads,
      [CSD_MODEL_WORK_SRAM_ACCESS] = now->heap_accesses - before->heap_accesses,
      [CSD_MODEL_WORK_COMPARE] = now->comparisons - before->comparisons,
      [CSD_MODEL_WORK_PAGE_OPEN] = recorder->pages_opened,
  };
  recorder->before = *now;
  recorder->pages_opened = 0;
  return csd_model_log_add(recorder->log, kind, lba, bytes, work);
}

void csd_model_classic_event(void *context, const struct csd_classic_event *event) {
  struct csd_model_classic *recorder = context;
  if (event->kind == CSD_CLASSIC_SEND) {
    (void)add(recorder, CSD_MODEL_SEND, 0, event->bytes, event->counts); /* the log remembers */
    return;
  }
  const uint32_t lba = recorder->first_lba[event->list] + event->page * PAGE_LBAS;
  if (event->kind == CSD_CLASSIC_ANNOUNCE) {
    /* The work so far belongs to the next event that the program waits for. */
    (void)csd_model_log_add(recorder->log, CSD_MODEL_READ_AHEAD, lba, event->bytes, NULL);
    return;
  }
  (void)add(recorder, CSD_MODEL_LOAD, lba, event->bytes, event->counts);
  recorder->pages_opened++;
}

int csd_model_classic_end(struct csd_model_classic *recorder,
                          const struct csd_classic_counts *counts, uint64_t ranked) {
  if (ranked > 0) {
    (void)add(recorder, CSD_MODEL_RANK, 0, ranked, counts);
  }
  return add(recorder, CSD_MODEL_END, 0, 0, counts);
}

/* ---- one side of a request ---- */

/* Limit of the number of results. The sum of 8 lists of 2^28 fits. */
static uint64_t max_results(const struct csd_classic_request *request) {
  uint64_t most = request->operation == CSD_CLASSIC_INTERSECTION ? UINT32_MAX : 0;
  if (request->operation == CSD_CLASSIC_DIFFERENCE) {
    return request->lists[0].length;
  }
  for (uint32_t i = 0; i < request->list_count; i++) {
    const uint64_t length = request->lists[i].length;
    if (request->operation == CSD_CLASSIC_UNION) {
      most += length;
    } else if (length < most) {
      most = length;
    }
  }
  return most;
}

static int run(const struct csd_classic_request *request, uint64_t memory_bytes, bool host_ranks,
               struct csd_model_log *log, struct csd_classic_counts *counts) {
  const uint64_t capacity = request->ranked ? CSD_CLASSIC_TOP : max_results(request);
  if (capacity > INT32_MAX) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "classic request: up to %llu results, not %u",
                    (unsigned long long)capacity, INT32_MAX);
  }
  struct csd_model_classic recorder;
  struct csd_classic_device device = {.memory = malloc(memory_bytes),
                                      .memory_bytes = memory_bytes,
                                      .event = csd_model_classic_event,
                                      .context = &recorder};
  struct csd_classic_result *results = malloc((capacity + 1) * sizeof *results);
  int status = csd_fail(CSD_STATUS_NO_MEMORY, "classic request: no host memory for %llu bytes",
                        (unsigned long long)memory_bytes);
  if (device.memory != NULL && results != NULL) {
    csd_model_classic_begin(&recorder, request, log);
    status = csd_classic_run(request, &device, results, (uint32_t)capacity, counts);
  }
  if (status >= 0) {
    const uint64_t ranked = host_ranks && !request->ranked ? counts->results : 0;
    status = csd_model_classic_end(&recorder, counts, ranked);
  }
  free(device.memory);
  free(results);
  return status;
}

/* ---- both sides ---- */

int csd_model_classic_record(const struct csd_classic_request *request, uint64_t memory_bytes,
                             bool host_ranks, struct csd_model_classic_pair *pair) {
  memset(pair, 0, sizeof *pair);
  csd_model_log_init(&pair->device, NULL, 0, csd_model_grow, NULL);
  csd_model_log_init(&pair->host, NULL, 0, csd_model_grow, NULL);
  int status = csd_classic_memory_use(request, SIZE_MAX); /* checks the request */
  if (status < 0) {
    return status;
  }
  for (uint32_t i = 0; i < request->list_count; i++) {
    pair->lbas += lbas_of(&request->lists[i]);
  }
  uint64_t whole = csd_classic_whole_bytes(request);
  const uint64_t least = (CSD_CLASSIC_MAX_LISTS + 1) * (uint64_t)CSD_CLASSIC_PAGE_BYTES;
  if (whole < least) {
    whole = least; /* the smallest memory that a device can have */
  }
  if (memory_bytes == 0 || memory_bytes > whole) {
    memory_bytes = whole;
  }
  status = run(request, memory_bytes, host_ranks, &pair->device, &pair->device_counts);
  if (status < 0) {
    return status;
  }
  struct csd_classic_request unranked = *request;
  unranked.ranked = false;
  return run(&unranked, whole, host_ranks || request->ranked, &pair->host, &pair->host_counts);
}

static int record_lists(const struct csd_classic_workload *workload,
                        struct csd_classic_request *request, struct csd_classic_list *lists,
                        struct csd_classic_entry *entries, void *scratch, bool swapped,
                        uint64_t memory_bytes, bool host_ranks,
                        struct csd_model_classic_pair *pair) {
  const int status = csd_classic_workload_make(workload, entries, scratch, lists);
  if (status < 0) {
    return status;
  }
  if (swapped) {
    const struct csd_classic_list first = lists[0];
    lists[0] = lists[1];
    lists[1] = first;
  }
  request->lists = lists;
  return csd_model_classic_record(request, memory_bytes, host_ranks, pair);
}

int csd_model_classic_record_workload(const struct csd_classic_workload *workload,
                                      enum csd_classic_operation operation, bool ranked,
                                      bool swapped, uint64_t memory_bytes, bool host_ranks,
                                      struct csd_model_classic_pair *pair) {
  struct csd_classic_list lists[CSD_CLASSIC_MAX_LISTS];
  struct csd_classic_request request = {
      .operation = operation, .ranked = ranked, .list_count = workload->lists};
  uint64_t count = 0;
  uint64_t scratch_bytes = 0;
  memset(pair, 0, sizeof *pair);
  int status = csd_classic_workload_size(workload, &count, &scratch_bytes);
  if (status < 0) {
    return status;
  }
  if (count > CSD_MODEL_CLASSIC_MAX_ENTRIES) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "workload: %llu entries, at most %llu can be run",
                    (unsigned long long)count, (unsigned long long)CSD_MODEL_CLASSIC_MAX_ENTRIES);
  }
  struct csd_classic_entry *entries = malloc(count * sizeof *entries);
  void *scratch = malloc(scratch_bytes);
  if (entries == NULL || scratch == NULL) {
    status = csd_fail(CSD_STATUS_NO_MEMORY, "workload: no host memory for %llu entries",
                      (unsigned long long)count);
  } else {
    status = record_lists(workload, &request, lists, entries, scratch, swapped, memory_bytes,
                          host_ranks, pair);
  }
  free(entries);
  free(scratch);
  return status;
}

void csd_model_classic_free(struct csd_model_classic_pair *pair) {
  csd_model_log_free(&pair->device);
  csd_model_log_free(&pair->host);
}

static int play_side(const struct csd_model_profile *profile, enum csd_model_side side,
                     const struct csd_model_log *log, struct csd_model_report *report) {
  const struct csd_model_run run = {
      .profile = profile, .side = side, .count = 1, .logs = &log, .reports = report};
  return csd_model_play(&run);
}

int csd_model_run_classic(const struct csd_classic_request *request, uint64_t memory_bytes,
                          bool host_ranks, const struct csd_model_profile *profile,
                          struct csd_model_report *device, struct csd_model_report *host) {
  struct csd_model_classic_pair pair;
  int status = csd_model_classic_record(request, memory_bytes, host_ranks, &pair);
  if (status == 0) {
    status = play_side(profile, CSD_MODEL_SIDE_DEVICE, &pair.device, device);
  }
  if (status == 0) {
    status = play_side(profile, CSD_MODEL_SIDE_HOST, &pair.host, host);
  }
  csd_model_classic_free(&pair);
  return status;
}
