/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scratch.h"

static int64_t fail(const char *call, int status) {
  fprintf(stderr, "client: %s: %s: %s\n", call, csd_status_name(status), csd_last_error());
  abort();
}

struct csd_device *client_open(const char *name, uint64_t lba_count, uint64_t dram_bytes) {
  const struct csd_device_options options = {.path = scratch_path(name),
                                             .capacity_bytes = lba_count * CSD_LBA_BYTES,
                                             .dram_bytes = dram_bytes};
  struct csd_device *device;
  const int status = csd_device_open(&options, &device);
  if (status != 0) {
    fail("open", status);
  }
  return device;
}

struct csd_queue *client_queue(struct csd_device *device) {
  struct csd_queue *queue;
  const int status = csd_queue_create(device, 8, &queue);
  if (status != 0) {
    fail("queue", status);
  }
  return queue;
}

int64_t client_run(struct csd_queue *queue, const struct csd_submission *command) {
  struct csd_completion completion;
  int status = csd_queue_submit(queue, command, 1);
  if (status != 0) {
    return status;
  }
  status = csd_queue_poll(queue, &completion, 1, CSD_BUDGET_UNLIMITED);
  if (status < 0) {
    return status;
  }
  if (status != 1 || completion.command_id != command->command_id) {
    fail("poll", status);
  }
  const int result = csd_completion_status(&completion);
  return result == 0 ? (int64_t)completion.dw0 : -(int64_t)result;
}

static struct csd_submission command_of(uint8_t opcode, const void *data, uint64_t data_bytes) {
  return (struct csd_submission){.opcode = opcode,
                                 .command_id = 0x4321,
                                 .nsid = 1,
                                 .data = (uint64_t)(uintptr_t)data,
                                 .data_bytes = data_bytes};
}

static int64_t transfer(struct csd_queue *queue, uint8_t opcode, uint64_t lba, const void *bytes,
                        uint32_t count) {
  struct csd_submission command = command_of(opcode, bytes, (uint64_t)count * CSD_LBA_BYTES);
  command.cdw10 = (uint32_t)lba;
  command.cdw11 = (uint32_t)(lba >> 32);
  command.cdw12 = count - 1;
  return client_run(queue, &command);
}

int64_t client_write(struct csd_queue *queue, uint64_t lba, const void *bytes, uint32_t count) {
  return transfer(queue, CSD_OPCODE_WRITE, lba, bytes, count);
}

int64_t client_read(struct csd_queue *queue, uint64_t lba, void *bytes, uint32_t count) {
  return transfer(queue, CSD_OPCODE_READ, lba, bytes, count);
}

int64_t client_trim(struct csd_queue *queue, uint64_t lba, uint32_t count) {
  const struct csd_trim_range range = {.lba = lba, .lba_count = count};
  struct csd_submission command = command_of(CSD_OPCODE_TRIM, &range, sizeof range);
  command.cdw11 = 4;
  return client_run(queue, &command);
}

int64_t client_session(struct csd_queue *queue, uint32_t grant_bytes) {
  struct csd_submission command = command_of(CSD_OPCODE_OPEN, NULL, 0);
  command.cdw10 = grant_bytes;
  return client_run(queue, &command);
}

int64_t client_close_session(struct csd_queue *queue, uint32_t session) {
  struct csd_submission command = command_of(CSD_OPCODE_CLOSE, NULL, 0);
  command.cdw10 = session;
  return client_run(queue, &command);
}

int64_t client_live_docs(struct csd_queue *queue, const void *bytes, uint32_t count) {
  struct csd_submission command = command_of(CSD_OPCODE_PUT, bytes, count);
  command.cdw10 = CSD_RESOURCE_LIVE_DOCS;
  command.cdw11 = count;
  command.cdw14 = count;
  return client_run(queue, &command);
}

int64_t client_drop(struct csd_queue *queue, uint32_t resource) {
  struct csd_submission command = command_of(CSD_OPCODE_DROP, NULL, 0);
  command.cdw10 = resource;
  return client_run(queue, &command);
}

int64_t client_model(struct csd_queue *queue, const void *profile, uint32_t bytes,
                     uint32_t trace_records, uint32_t flags) {
  const struct csd_submission command = {.opcode = CSD_OPCODE_MODEL,
                                         .nsid = 1,
                                         .data = (uintptr_t)profile,
                                         .data_bytes = bytes,
                                         .cdw10 = bytes,
                                         .cdw11 = trace_records,
                                         .cdw12 = flags};
  return client_run(queue, &command);
}

int64_t client_told(struct csd_queue *queue, uint32_t session, uint32_t what, uint32_t from,
                    void *bytes, uint32_t count) {
  const struct csd_submission command = {.opcode = CSD_OPCODE_MODEL_FETCH,
                                         .nsid = 1,
                                         .data = (uintptr_t)bytes,
                                         .data_bytes = count,
                                         .cdw10 = session,
                                         .cdw11 = from,
                                         .cdw12 = count,
                                         .cdw13 = what};
  return client_run(queue, &command);
}

int64_t client_plan(struct csd_queue *queue, uint32_t session, const void *plan, uint32_t bytes,
                    void *result, uint32_t result_bytes, uint64_t budget) {
  struct csd_submission commands[2] = {command_of(CSD_OPCODE_SUBMIT, plan, bytes),
                                       command_of(CSD_OPCODE_FETCH, result, result_bytes)};
  commands[0].cdw10 = commands[1].cdw10 = session;
  commands[0].cdw11 = bytes;
  commands[1].cdw12 = result_bytes;
  struct csd_completion completions[2];
  int status = csd_queue_submit(queue, commands, 2);
  for (int done = 0; status >= 0 && done < 2; done += status) {
    status = csd_queue_poll(queue, completions + done, (uint32_t)(2 - done), budget);
  }
  if (status < 0) {
    return status;
  }
  for (int i = 0; i < 2; i++) {
    const int failed = csd_completion_status(&completions[i]);
    if (failed != 0) {
      return -(int64_t)failed;
    }
  }
  if (completions[1].dw0 > completions[0].dw0) {
    fail("more bytes than there are", 0);
  }
  return completions[1].dw0;
}
