/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "base/entropy.h"

#include <stdint.h>

#ifdef __APPLE__

#include <sys/random.h>

static bool draw(void *memory, size_t bytes) { return getentropy(memory, bytes) == 0; }

#else

#include <linux/random.h>
#include <sys/syscall.h>
#include <unistd.h>

/* By its number: the oldest C libraries that this runs with have no function for it. */
static bool draw(void *memory, size_t bytes) {
  return syscall(SYS_getrandom, memory, bytes, GRND_NONBLOCK) == (long)bytes;
}

#endif

bool csd_draw_entropy(void *memory, size_t bytes) {
  enum { PIECE = 256 }; /* no signal interrupts so few */
  uint8_t *to = memory;
  for (size_t at = 0; at < bytes; at += PIECE) {
    if (!draw(to + at, bytes - at < PIECE ? bytes - at : PIECE)) {
      return false;
    }
  }
  return true;
}
