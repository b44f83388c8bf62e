/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The commands. Each checks its fields, then runs. Of a submission they trust one thing only: that
   its data buffer is as long as it says. */
#include "device/run/command.h"

#include <string.h>

#include "base/status.h"
#include "device/run/device.h"
#include "device/run/read_index.h"
#include "device/run/run.h"
#include "device/run/task.h"
#include "timing/timing.h"

enum { NAMESPACE = 1, COUNT_MASK = 0xFFFF, TRIM_RANGES_MASK = 0xFF, TRIM_DEALLOCATE = 4 };

typedef unsigned long long ull;

static int fail_field(const char *command, const char *field, uint64_t value) {
  return csd_fail(CSD_STATUS_INVALID_FIELD, "%s: %s is %llu", command, field, (ull)value);
}

/* Checks the fields that are zero in every command, and that the dwords from `first` on are. */
static int check_reserved(const char *name, const struct csd_submission *c, uint32_t first) {
  const uint32_t dwords[] = {c->cdw10, c->cdw11, c->cdw12, c->cdw13, c->cdw14, c->cdw15};
  if (c->flags != 0) {
    return fail_field(name, "flags", c->flags);
  }
  if (c->nsid != NAMESPACE) {
    return fail_field(name, "nsid", c->nsid);
  }
  if (c->cdw2 != 0) {
    return fail_field(name, "cdw2", c->cdw2);
  }
  if (c->cdw3 != 0) {
    return fail_field(name, "cdw3", c->cdw3);
  }
  if (c->metadata != 0) {
    return fail_field(name, "metadata", c->metadata);
  }
  for (uint32_t i = first; i <= 15; i++) {
    if (dwords[i - 10] != 0) {
      return csd_fail(CSD_STATUS_INVALID_FIELD, "%s: cdw%u is %u, not 0", name, i, dwords[i - 10]);
    }
  }
  return 0;
}

static int check_data(const char *name, const struct csd_submission *c, uint64_t needed) {
  if (needed > CSD_MAX_TRANSFER_BYTES) {
    return fail_field(name, "transfer size", needed);
  }
  if (c->data_bytes < needed) {
    return fail_field(name, "data_bytes", c->data_bytes);
  }
  if (needed > 0 && (c->data == 0 || c->data > UINTPTR_MAX - needed)) {
    return fail_field(name, "data", c->data);
  }
  return 0;
}

static int check_no_data(const char *name, const struct csd_submission *c) {
  if (c->data != 0) {
    return fail_field(name, "data", c->data);
  }
  return c->data_bytes != 0 ? fail_field(name, "data_bytes", c->data_bytes) : 0;
}

static int flush(struct csd_queue *queue, const struct csd_submission *c) {
  int status = check_reserved("FLUSH", c, 10);
  if (status == 0) {
    status = check_no_data("FLUSH", c);
  }
  if (status == 0) {
    status = csd_store_flush(&queue->device->store);
  }
  if (status == 0) {
    csd_page_index_flush(&queue->device->index); /* after the pages that it tells of */
  }
  return status;
}

/* Checks READ and WRITE, and sets their range. */
static int check_transfer(const char *name, const struct csd_submission *c, uint64_t *lba,
                          uint64_t *count) {
  int status = check_reserved(name, c, 13);
  if (status < 0) {
    return status;
  }
  if (c->cdw12 & ~(uint32_t)COUNT_MASK) {
    return fail_field(name, "cdw12", c->cdw12);
  }
  *lba = (uint64_t)c->cdw11 << 32 | c->cdw10;
  *count = (uint64_t)c->cdw12 + 1;
  return check_data(name, c, *count * CSD_LBA_BYTES);
}

static int read_lbas(struct csd_queue *queue, const struct csd_submission *c) {
  uint64_t lba, count;
  int status = check_transfer("READ", c, &lba, &count);
  if (status == 0) {
    status = csd_store_read(&queue->device->store, lba, count, (void *)(uintptr_t)c->data);
  }
  if (status == 0) {
    csd_count(&queue->counts.lbas_read, count);
  }
  return status;
}

static int read_index(struct csd_queue *queue, const struct csd_submission *c, uint32_t *dw0) {
  int status = check_reserved("READ_IDX", c, 15);
  if (status == 0 && c->cdw12 >= CSD_MAX_READ_IDX_LBAS) {
    status = fail_field("READ_IDX", "cdw12", c->cdw12);
  }
  if (status == 0) {
    status = check_data("READ_IDX", c,
                        sizeof(struct csd_index_matches) + (c->cdw12 + 1) * CSD_LBA_BYTES);
  }
  return status == 0 ? csd_read_index(queue, c, dw0) : status;
}

/* Sets the index entries of written LBAs. Bytes that are no valid page are ordinary data: they are
   stored too, and refused when a program pins them. */
static void index_written(struct csd_queue *queue, uint64_t lba, uint64_t count,
                          const uint8_t *bytes) {
  for (uint64_t i = 0; i < count; i++, bytes += CSD_LBA_BYTES) {
    struct csd_written *written = &queue->written[i];
    written->is_page = csd_stored_page_has_magic(bytes);
    if (written->is_page) {
      /* A copy: the host may change its buffer during the check. */
      memcpy(queue->page, bytes, CSD_PAGE_BYTES);
      written->is_page = csd_stored_page_read(queue->page, &written->page);
    }
  }
  csd_dram_rewritten(&queue->device->dram, lba, count, queue->written);
}

static int write_lbas(struct csd_queue *queue, const struct csd_submission *c) {
  uint64_t lba, count;
  int status = check_transfer("WRITE", c, &lba, &count);
  if (status < 0) {
    return status;
  }
  const uint8_t *bytes = (const uint8_t *)(uintptr_t)c->data;
  csd_page_index_begin(&queue->device->index, lba, count);
  status = csd_store_write(&queue->device->store, lba, count, bytes);
  if (status == 0) {
    index_written(queue, lba, count, bytes);
    csd_timing_written(&queue->device->timing, lba, count);
    csd_count(&queue->counts.lbas_written, count);
  } else if (status != -CSD_STATUS_OUT_OF_RANGE && status != -CSD_STATUS_READ_ONLY) {
    csd_dram_trimmed(&queue->device->dram, lba, count); /* an unknown part was written */
  }
  return status;
}

static int trim_lbas(struct csd_queue *queue, const struct csd_submission *c) {
  struct csd_trim_range ranges[TRIM_RANGES_MASK + 1];
  int status = check_reserved("TRIM", c, 12);
  if (status < 0) {
    return status;
  }
  if (c->cdw10 & ~(uint32_t)TRIM_RANGES_MASK) {
    return fail_field("TRIM", "cdw10", c->cdw10);
  }
  if (c->cdw11 != TRIM_DEALLOCATE) {
    return fail_field("TRIM", "cdw11", c->cdw11);
  }
  const uint32_t count = c->cdw10 + 1;
  status = check_data("TRIM", c, (uint64_t)count * sizeof ranges[0]);
  if (status < 0) {
    return status;
  }
  memcpy(ranges, (const void *)(uintptr_t)c->data, count * sizeof ranges[0]);
  for (uint32_t i = 0; i < count; i++) {
    if (ranges[i].attributes != 0) {
      return fail_field("TRIM", "attributes", ranges[i].attributes);
    }
    status = csd_store_check_range(&queue->device->store, ranges[i].lba, ranges[i].lba_count);
    if (status < 0) {
      return csd_fail_in(status, "TRIM range %u", i);
    }
  }
  for (uint32_t i = 0; i < count && status == 0; i++) {
    csd_page_index_begin(&queue->device->index, ranges[i].lba, ranges[i].lba_count);
    status = csd_store_trim(&queue->device->store, ranges[i].lba, ranges[i].lba_count);
    if (status < 0) {
      return csd_fail_in(status, "TRIM range %u", i);
    }
    csd_dram_trimmed(&queue->device->dram, ranges[i].lba, ranges[i].lba_count);
    csd_timing_trimmed(&queue->device->timing, ranges[i].lba, ranges[i].lba_count);
    csd_count(&queue->counts.lbas_trimmed, ranges[i].lba_count);
  }
  return 0;
}

static int open_session(struct csd_queue *queue, const struct csd_submission *c, uint32_t *dw0) {
  int status = check_reserved("OPEN", c, 11);
  if (status == 0) {
    status = check_no_data("OPEN", c);
  }
  return status == 0 ? csd_session_open(&queue->device->sessions, c->cdw10, dw0) : status;
}

static int submit(struct csd_queue *queue, const struct csd_submission *c, uint64_t *budget,
                  uint32_t *dw0) {
  if (queue->run.session == NULL) { /* else it was checked when it began */
    int status = check_reserved("SUBMIT", c, 12);
    if (status == 0 && c->cdw11 > CSD_MAX_PLAN_BYTES) {
      status = csd_fail(CSD_STATUS_PLAN_TOO_LARGE, "SUBMIT: a plan of %u bytes", c->cdw11);
    }
    if (status == 0) {
      status = check_data("SUBMIT", c, c->cdw11);
    }
    if (status < 0) {
      return status;
    }
  }
  return csd_run_submit(queue, c, budget, dw0);
}

/* Copies up to as many of the `length` bytes as the command asks for, from its offset on. */
static int hand_out(const char *name, const struct csd_submission *c, const void *bytes,
                    uint32_t length, uint32_t *dw0) {
  const uint32_t offset = c->cdw11;
  if (offset > length) {
    return fail_field(name, "cdw11", offset);
  }
  const uint32_t count = c->cdw12 < length - offset ? c->cdw12 : length - offset;
  if (count > 0) {
    memcpy((void *)(uintptr_t)c->data, (const uint8_t *)bytes + offset, count);
  }
  *dw0 = count;
  return 0;
}

static int fetch(struct csd_queue *queue, const struct csd_submission *c, uint32_t *dw0) {
  int status = check_reserved("FETCH", c, 13);
  if (status == 0) {
    status = check_data("FETCH", c, c->cdw12);
  }
  if (status < 0) {
    return status;
  }
  if (c->cdw10 == 0) {
    const struct csd_device_info info = csd_device_info_of(queue->device);
    return hand_out("FETCH", c, &info, sizeof info, dw0);
  }
  struct csd_session *session;
  status = csd_session_acquire(&queue->device->sessions, c->cdw10, &session);
  if (status == 0) {
    status = hand_out("FETCH", c, csd_session_result(session), session->result_bytes, dw0);
    csd_session_release(session);
  } else if (status == -CSD_STATUS_BUSY) {
    const uint8_t *page; /* of a window of a task, which goes on */
    const int64_t filtered = csd_task_page_begin(queue->device, c->cdw10, &page);
    if (filtered < 0) {
      return status;
    }
    status = hand_out("FETCH", c, page, (uint32_t)filtered, dw0);
    csd_task_page_end(queue->device, c->cdw10);
  }
  if (status == 0) {
    csd_count(&queue->counts.result_bytes, *dw0);
  }
  return status;
}

static int close_session(struct csd_queue *queue, const struct csd_submission *c) {
  int status = check_reserved("CLOSE", c, 11);
  if (status == 0) {
    status = check_no_data("CLOSE", c);
  }
  if (status < 0) {
    return status;
  }
  csd_task_cancel(queue->device, c->cdw10);
  return csd_session_close(&queue->device->sessions, c->cdw10);
}

static int init_task(struct csd_queue *queue, const struct csd_submission *c) {
  int status = check_reserved("INIT_TSK", c, 15);
  if (status == 0 && c->cdw11 > CSD_MAX_PLAN_BYTES) {
    status = csd_fail(CSD_STATUS_PLAN_TOO_LARGE, "INIT_TSK: a plan of %u bytes", c->cdw11);
  }
  if (status == 0 && (c->cdw12 < CSD_TASK_MODE_STATIC || c->cdw12 > CSD_TASK_MODE_HAND)) {
    status = fail_field("INIT_TSK", "cdw12", c->cdw12);
  }
  if (status == 0 && c->cdw14 > queue->device->task_program_count) {
    status = fail_field("INIT_TSK", "cdw14", c->cdw14);
  }
  if (status == 0) {
    status = check_data("INIT_TSK", c, c->cdw11);
  }
  return status == 0 ? csd_task_init(queue, c) : status;
}

static int read_window(struct csd_queue *queue, const struct csd_submission *c, uint64_t budget,
                       uint32_t *dw0) {
  const uint32_t infinity = 0x7F800000;
  int status = check_reserved("READ_PROC", c, 14);
  if (status == 0 && c->cdw13 > infinity) {
    status = fail_field("READ_PROC", "cdw13", c->cdw13);
  }
  if (status == 0) {
    status = check_no_data("READ_PROC", c);
  }
  return status == 0 ? csd_task_take(queue, c, budget, dw0) : status;
}

static int filter_window(struct csd_queue *queue, const struct csd_submission *c, uint64_t budget,
                         uint32_t *dw0) {
  int status = check_reserved("READ_FILT", c, 13);
  if (status == 0) {
    status = check_no_data("READ_FILT", c);
  }
  return status == 0 ? csd_task_filter(queue, c, budget, dw0) : status;
}

static int end_task(struct csd_queue *queue, const struct csd_submission *c, uint64_t budget,
                    uint32_t *dw0) {
  int status = check_reserved("FINAL", c, 12);
  if (status == 0 && (c->cdw11 & ~(uint32_t)CSD_FINAL_FLAG_HAND_BACK) != 0) {
    status = fail_field("FINAL", "cdw11", c->cdw11);
  }
  if (status == 0) {
    status = check_no_data("FINAL", c);
  }
  return status == 0 ? csd_task_final(queue, c, budget, dw0) : status;
}

static int put(struct csd_queue *queue, const struct csd_submission *c, uint32_t *dw0) {
  int status = check_reserved("PUT", c, 15);
  if (status == 0 && c->cdw10 != CSD_RESOURCE_LIVE_DOCS && c->cdw10 != CSD_RESOURCE_RULE) {
    status = fail_field("PUT", "kind", c->cdw10);
  }
  if (status == 0) {
    status = check_data("PUT", c, c->cdw11);
  }
  if (status < 0) {
    return status;
  }
  uint32_t number = c->cdw12;
  status = csd_resource_put(&queue->device->resources, c->cdw10, &number,
                            (const void *)(uintptr_t)c->data, c->cdw11, c->cdw13, c->cdw14);
  if (status == 0) {
    *dw0 = number;
  }
  return status;
}

static int drop(struct csd_queue *queue, const struct csd_submission *c) {
  int status = check_reserved("DROP", c, 11);
  if (status == 0) {
    status = check_no_data("DROP", c);
  }
  return status == 0 ? csd_resource_drop(&queue->device->resources, c->cdw10) : status;
}

static int set_model(struct csd_queue *queue, const struct csd_submission *c) {
  struct csd_model_profile profile;
  int status = check_reserved("MODEL", c, 13);
  if (status < 0) {
    return status;
  }
  if (c->cdw10 == 0) {
    if (c->cdw11 != 0) {
      return fail_field("MODEL", "cdw11", c->cdw11);
    }
    if (c->cdw12 != 0) {
      return fail_field("MODEL", "cdw12", c->cdw12);
    }
    status = check_no_data("MODEL", c);
    if (status == 0) {
      csd_timing_clear(&queue->device->timing);
    }
    return status;
  }
  if (c->cdw10 != sizeof profile) {
    return fail_field("MODEL", "cdw10", c->cdw10);
  }
  if (c->cdw12 & ~(uint32_t)CSD_MODEL_FLAG_HOST_RANKS) {
    return fail_field("MODEL", "cdw12", c->cdw12);
  }
  status = check_data("MODEL", c, c->cdw10);
  if (status < 0) {
    return status;
  }
  memcpy(&profile, (const void *)(uintptr_t)c->data, sizeof profile);
  const struct csd_store *store = &queue->device->store;
  return csd_timing_set(&queue->device->timing, &profile, c->cdw11, c->cdw12, store->lba_count,
                        csd_store_used_lbas(store));
}

static int fetch_model(struct csd_queue *queue, const struct csd_submission *c, uint32_t *dw0) {
  int status = check_reserved("MODEL_FETCH", c, 14);
  if (status == 0) {
    status = check_data("MODEL_FETCH", c, c->cdw12);
  }
  if (status < 0) {
    return status;
  }
  if (c->cdw10 == 0) {
    struct csd_model_report report;
    status = csd_timing_writes(&queue->device->timing, c->cdw13, &report);
    return status == 0 ? hand_out("MODEL_FETCH", c, &report, sizeof report, dw0) : status;
  }
  struct csd_session *session;
  status = csd_session_acquire(&queue->device->sessions, c->cdw10, &session);
  if (status < 0) {
    return status;
  }
  const void *bytes;
  uint32_t count;
  status = csd_timing_data(session->modelled, session->number, c->cdw13, &bytes, &count);
  if (status == 0) {
    status = hand_out("MODEL_FETCH", c, bytes, count, dw0);
  }
  csd_session_release(session);
  return status;
}

int csd_command_run(struct csd_queue *queue, const struct csd_submission *command, uint64_t *budget,
                    uint32_t *dw0) {
  *dw0 = 0;
  switch (command->opcode) {
    case CSD_OPCODE_FLUSH: return flush(queue, command);
    case CSD_OPCODE_WRITE: return write_lbas(queue, command);
    case CSD_OPCODE_READ: return read_lbas(queue, command);
    case CSD_OPCODE_TRIM: return trim_lbas(queue, command);
    case CSD_OPCODE_OPEN: return open_session(queue, command, dw0);
    case CSD_OPCODE_SUBMIT: return submit(queue, command, budget, dw0);
    case CSD_OPCODE_FETCH: return fetch(queue, command, dw0);
    case CSD_OPCODE_CLOSE: return close_session(queue, command);
    case CSD_OPCODE_READ_IDX: return read_index(queue, command, dw0);
    case CSD_OPCODE_PUT: return put(queue, command, dw0);
    case CSD_OPCODE_DROP: return drop(queue, command);
    case CSD_OPCODE_MODEL: return set_model(queue, command);
    case CSD_OPCODE_MODEL_FETCH: return fetch_model(queue, command, dw0);
    case CSD_OPCODE_INIT_TSK: return init_task(queue, command);
    case CSD_OPCODE_READ_PROC: return read_window(queue, command, *budget, dw0);
    case CSD_OPCODE_READ_FILT: return filter_window(queue, command, *budget, dw0);
    case CSD_OPCODE_FINAL: return end_task(queue, command, *budget, dw0);
    default:
      return csd_fail(CSD_STATUS_INVALID_OPCODE, "opcode 0x%02X is unknown", command->opcode);
  }
}
