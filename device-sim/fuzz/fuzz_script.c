/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "fuzz_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/model/model_world.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/page/page_builder.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"

const struct search_world *script_world(void) {
  static struct search_world *world;
  if (world == NULL) {
    world = search_world_make(11, 0x5544332211u, FIRST_LBA);
  }
  return world;
}

/* Nobody knows any more what the LBAs hold. */
static void script_forget(struct script *script, uint64_t lba, uint64_t count) {
  for (uint64_t i = lba; i < LBAS && i - lba < count; i++) {
    script->known[i] = false;
  }
}

static void script_forget_trimmed(struct script *script, const struct pending *done) {
  struct csd_trim_range range;
  for (size_t at = 0; at + sizeof range <= done->command.data_bytes; at += sizeof range) {
    memcpy(&range, done->buffer + at, sizeof range);
    script_forget(script, range.lba, range.lba_count);
  }
}

static void script_remember(struct script *script, const struct pending *done) {
  const struct csd_submission *c = &done->command;
  const uint64_t lba = c->cdw10, count = (uint64_t)c->cdw12 + 1;
  for (uint64_t i = lba; i < lba + count && i < LBAS; i++) {
    if (script->shadow[i] == NULL) {
      script->shadow[i] = malloc(CSD_LBA_BYTES);
    }
    memcpy(script->shadow[i], done->buffer + (i - lba) * CSD_LBA_BYTES, CSD_LBA_BYTES);
    script->known[i] = true;
  }
}

static void script_compare(const struct script *script, const struct pending *done) {
  static const uint8_t zeros[CSD_LBA_BYTES];
  const struct csd_submission *c = &done->command;
  for (uint64_t i = 0; i <= c->cdw12; i++) {
    const uint64_t lba = c->cdw10 + i;
    const uint8_t *expected = script->shadow[lba] != NULL ? script->shadow[lba] : zeros;
    if (script->known[lba] &&
        memcmp(expected, done->buffer + i * CSD_LBA_BYTES, CSD_LBA_BYTES) != 0) {
      abort();
    }
  }
}

static void script_complete(struct script *script, int queue,
                            const struct csd_completion *completion) {
  struct pending *done = &script->pending[queue][0];
  const int status = csd_completion_status(completion);
  if (script->pending_count[queue] == 0) {
    abort();
  }
  if (completion->command_id != done->command.command_id) {
    abort();
  }
  if (strcmp(csd_status_name(status), "UNKNOWN") == 0 || status == CSD_STATUS_INTERNAL) {
    abort();
  }
  if (status != 0 && completion->dw0 != 0) {
    abort();
  }
  const struct csd_submission *c = &done->command;
  if (c->opcode == CSD_OPCODE_TRIM) {
    script_forget_trimmed(script, done);
  }
  if (c->opcode == CSD_OPCODE_WRITE && status != 0) {
    script_forget(script, c->cdw10, c->cdw12 + 1u);
  }
  if (status == 0) {
    switch (c->opcode) {
      case CSD_OPCODE_OPEN: script->sessions[completion->dw0 % NUMBERS] = completion->dw0; break;
      case CSD_OPCODE_PUT: script->resources[completion->dw0 % NUMBERS] = completion->dw0; break;
      case CSD_OPCODE_WRITE: script_remember(script, done); break;
      case CSD_OPCODE_READ: script_compare(script, done); break;
      case CSD_OPCODE_FETCH:
      case CSD_OPCODE_MODEL_FETCH:
        if (completion->dw0 > c->cdw12) {
          abort();
        }
        break;
      default: break;
    }
  }
  free(done->buffer);
  const int left = --script->pending_count[queue];
  memmove(done, done + 1, (size_t)left * sizeof *done);
}

void script_poll(struct script *script, int queue, uint64_t budget) {
  struct csd_completion completions[DEPTH];
  const int count = csd_queue_poll(script->queues[queue], completions, DEPTH, budget);
  if (count < 0) {
    abort();
  }
  for (int i = 0; i < count; i++) {
    script_complete(script, queue, &completions[i]);
  }
  if (csd_queue_pending(script->queues[queue]) != (uint32_t)script->pending_count[queue]) {
    abort();
  }
}

/* Polls until all is done; ends what does not end soon. */
static void script_finish(struct script *script, int queue) {
  for (int i = 0; i < 64 && script->pending_count[queue] > 0; i++) {
    script_poll(script, queue, 5000);
  }
  csd_queue_abort(script->queues[queue]);
  while (script->pending_count[queue] > 0) {
    script_poll(script, queue, CSD_BUDGET_UNLIMITED);
  }
}

/* Submits a command with a copy of `bytes`, or of none, as its data. */
void script_submit(struct script *script, int queue, struct csd_submission command,
                   const void *bytes, size_t count) {
  if (script->pending_count[queue] == DEPTH) {
    script_finish(script, queue);
  }
  struct pending *pending = &script->pending[queue][script->pending_count[queue]];
  pending->buffer = NULL;
  command.nsid = 1;
  command.command_id = script->next_id++;
  if (count > 0) {
    pending->buffer = calloc(1, count);
    if (pending->buffer == NULL) {
      abort();
    }
    if (bytes != NULL) {
      memcpy(pending->buffer, bytes, count);
    }
    command.data = (uint64_t)(uintptr_t)pending->buffer;
    command.data_bytes = count;
  }
  pending->command = command;
  if (csd_queue_submit(script->queues[queue], &command, 1) != 0) {
    abort();
  }
  script->pending_count[queue]++;
}

void script_finish_all(struct script *s) {
  for (int queue = 0; queue < QUEUES; queue++) {
    script_finish(s, queue);
  }
}

/* Puts the pages of the world where they belong. */
void script_write_world(struct script *s, int queue) {
  script_finish_all(s);
  for (uint32_t i = 0; i < script_world()->page_count; i++) {
    script_submit(
        s, queue,
        (struct csd_submission){.opcode = CSD_OPCODE_WRITE, .cdw10 = (uint32_t)FIRST_LBA + i},
        script_world()->pages + (size_t)i * CSD_PAGE_BYTES, CSD_LBA_BYTES);
  }
  script_finish(s, queue);
  s->sound = true;
}
