/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Commands under way in the queues of a device, and what each LBA is known to hold. */
#ifndef FUZZ_SCRIPT_H
#define FUZZ_SCRIPT_H

#include "csd/csd.h"
#include "fuzz_input.h"
#include "tests/support/search_world.h"

enum {
  LBAS = 256,
  QUEUES = 2,
  DEPTH = 4,
  NUMBERS = 8, /* sessions or resources that the script can name */
  MAX_STEPS = 120,
  MAX_ASKED = 3,
  MAX_BYTES = 1 << 16 /* of one transfer */
};
static const uint64_t FIRST_LBA = 8;

/* A command under way: its buffer is exactly as long as it says. */
struct pending {
  struct csd_submission command;
  uint8_t *buffer;
};

struct script {
  struct fuzz_input input;
  struct csd_device *device;
  struct csd_queue *queues[QUEUES];
  struct pending pending[QUEUES][DEPTH]; /* oldest first */
  int pending_count[QUEUES];
  uint32_t sessions[NUMBERS], resources[NUMBERS];
  uint16_t next_id;
  int asked;
  bool sound;            /* the pages of the world are as they were written */
  bool known[LBAS];      /* the bytes of the LBA are those of its shadow */
  uint8_t *shadow[LBAS]; /* NULL: zeros */
};

/** Polls all queues until nothing of them is under way. */
void script_finish_all(struct script *s);

/** Polls a queue once, for so many postings. */
void script_poll(struct script *script, int queue, uint64_t budget);

/** Submits a command with a buffer of `count` bytes, filled from `bytes` unless that is NULL. */
void script_submit(struct script *script, int queue, struct csd_submission command,
                   const void *bytes, size_t count);

/** The world that plans ask of. */
const struct search_world *script_world(void);

/** Puts the pages of the world where they belong. */
void script_write_world(struct script *s, int queue);

#endif
