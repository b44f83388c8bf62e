/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Seals tell bytes that were checked in full from any others, so that a page that comes back to
 * device memory is not checked in full again. A seal is a hash under a key of random bits that
 * never leaves the device: whoever changes the file cannot tell which other bytes have the same
 * one, and finds some with a probability of less than 2^-60. A CRC would catch damage, but no
 * intent.
 *
 * NH (Black et al., UMAC, CRYPTO 1999) over words of 64 bits, and of its 128 bits a multilinear
 * hash modulo 2^61 - 1. Costs a tenth of a microsecond, less than a CRC.
 */
#ifndef CSD_PAGE_SEAL_H
#define CSD_PAGE_SEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "csd/csd_wire.h"

enum { CSD_SEAL_WORDS = CSD_PAGE_BYTES / 8, CSD_SEAL_PARTS = 4 };

struct csd_seal_key {
  uint64_t words[CSD_SEAL_WORDS];
  uint64_t parts[CSD_SEAL_PARTS + 1];
};

/** Draws a key. @return whether the system has given random bits */
bool csd_seal_key_draw(struct csd_seal_key *key);

/** Returns the seal of CSD_PAGE_BYTES bytes, aligned to 8; never 0. */
uint64_t csd_seal_of(const struct csd_seal_key *key, const uint8_t *page);

#endif
