/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Property: whatever commands a queue gets, the device answers each of them, keeps within the data
 * buffers, and closes cleanly.
 *
 * Input: submissions of 64 bytes, back to back. Their `data`, unless 0, is replaced by the address
 * of a buffer of at least data_bytes bytes, or of none if data_bytes exceeds 1 MiB; plans are taken
 * from what follows the command.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csd/csd.h"
#include "tests/model/model_world.h"
#include "tests/support/scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_COMMANDS = 64, LBAS = 1000 };

static struct csd_device *open_device(void) {
  const char *path = scratch_path("fuzz");
  const struct csd_device_options options = {.path = path,
                                             .capacity_bytes = LBAS * CSD_LBA_BYTES,
                                             .dram_bytes = 1 << 18,
                                             .max_sessions = 4};
  struct csd_device *device;
  if (csd_device_open(&options, &device) != 0) {
    abort();
  }
  unlink(path); /* the device keeps it open; the next one starts empty */
  return device;
}

/* Runs one command with `rest` as its data; its buffer is exactly as long as it says. */
static void run(struct csd_queue *queue, struct csd_submission command, const uint8_t *rest,
                size_t rest_bytes) {
  uint8_t *buffer = NULL;
  if (command.data != 0) {
    if (command.data_bytes > CSD_MAX_TRANSFER_BYTES) {
      command.data_bytes = CSD_MAX_TRANSFER_BYTES;
    }
    buffer = calloc(1, (size_t)command.data_bytes + 1);
    if (buffer == NULL) {
      return;
    }
    memcpy(buffer, rest, rest_bytes < command.data_bytes ? rest_bytes : (size_t)command.data_bytes);
    command.data = (uint64_t)(uintptr_t)buffer;
  }
  struct csd_completion completion;
  if (csd_queue_submit(queue, &command, 1) != 0) {
    abort();
  }
  if (csd_queue_poll(queue, &completion, 1, 100000) == 0) {
    csd_queue_abort(queue);
    if (csd_queue_poll(queue, &completion, 1, 1) != 1) {
      abort();
    }
  }
  if (completion.command_id != command.command_id) {
    abort();
  }
  if (strcmp(csd_status_name(csd_completion_status(&completion)), "UNKNOWN") == 0) {
    abort();
  }
  if (csd_completion_status(&completion) == CSD_STATUS_INTERNAL) {
    abort();
  }
  free(buffer);
}

/* Under a profile, so that what the commands do is recorded and can be asked for. */
static void set_model(struct csd_queue *queue) {
  const struct csd_model_profile profile = model_profile();
  const struct csd_submission model = {.opcode = CSD_OPCODE_MODEL,
                                       .nsid = 1,
                                       .data = 1,
                                       .data_bytes = sizeof profile,
                                       .cdw10 = sizeof profile,
                                       .cdw11 = 100};
  run(queue, model, (const uint8_t *)&profile, sizeof profile);
}

/* The commands of an input, with or without a profile. */
static void run_all(const uint8_t *data, size_t size, bool modelled) {
  struct csd_device *device = open_device();
  struct csd_queue *queue;
  if (csd_queue_create(device, 1, &queue) != 0) {
    abort();
  }
  const struct csd_submission open = {.opcode = CSD_OPCODE_OPEN, .nsid = 1};
  run(queue, open, data, 0); /* so that there is a session: its number is 1 */
  if (modelled) {
    set_model(queue);
  }
  struct csd_submission command;
  for (int i = 0; i < MAX_COMMANDS && size >= sizeof command; i++) {
    memcpy(&command, data, sizeof command);
    data += sizeof command;
    size -= sizeof command;
    run(queue, command, data, size);
  }
  csd_queue_destroy(queue);
  csd_device_close(device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  run_all(data, size, false);
  run_all(data, size, true);
  return 0;
}
