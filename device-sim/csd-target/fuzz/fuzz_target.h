/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** How far a connection has come when the fuzzed bytes begin, and what was sent for it. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

enum fuzz_stage {
  FUZZ_START,         /* nothing sent */
  FUZZ_PARAMETERS,    /* ICReq */
  FUZZ_ADMIN,         /* and Connect, and the controller enabled */
  FUZZ_QUEUE,         /* ICReq, Connect as queue 1 of controller 1 */
  FUZZ_QUEUE_DIGESTS, /* the same with both digests */
  FUZZ_DISCOVERY,     /* as admin, of the discovery subsystem */
  FUZZ_SETS,          /* as admin, with all command sets: programs active, range sets 1 and 2 */
  FUZZ_SETS_QUEUE,    /* queue 1 of a controller that is so */
  FUZZ_STAGES,
};

/** NQN of the subsystem under test. */
#define FUZZ_SUBSYSTEM "nqn.2026-11.org.luceneoffload:csd"

/* So that the first sessions are 1 and 2, and the first resource that. */
enum { FUZZ_BOOT = 0x10000, FUZZ_RESOURCE = (FUZZ_BOOT + 1) << 13 };
enum { FUZZ_PREFIX_BYTES = 4096, FUZZ_STREAM_BYTES = 1 << 18, FUZZ_STREAMS = 10 };

/** Writes what comes before; FUZZ_PREFIX_BYTES are enough. @return bytes */
size_t fuzz_prefix(uint8_t stage, uint8_t *to);

/**
 * Writes a stream that a well-behaved host sends, its stage first, into FUZZ_STREAM_BYTES.
 *
 * @param number  0 and up
 * @return bytes; 0 if there is none of that number
 */
size_t fuzz_stream(int number, uint8_t *to);

#endif
