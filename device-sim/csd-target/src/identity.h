/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * How the target names itself to hosts. All names come from one random UUID that belongs to the
 * store, so that no two stores are ever taken for one, and that one keeps its names for good.
 *
 * The UUID is kept in a text file beside the store, STORE.id, since every byte of the store belongs
 * to the namespace:
 *
 *     uuid 3b1f2a0e-6a57-4d0c-9f0e-2f4b7c1d9e55
 *     store 1311042 1790000000.123456789            inode and time of birth of the store's file
 *
 * The second line says which file the UUID was made for. Where store and identity were copied
 * together the copy is another file, and gets a UUID of its own.
 */
#ifndef TGT_IDENTITY_H
#define TGT_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "nvme.h"

struct tgt_options;

struct tgt_identity {
  uint8_t uuid[16];               /* the namespace's UUID and NGUID, most significant byte first */
  char subsystem[NVME_NQN_FIELD]; /* NQN: --subsystem, or made from the UUID */
  char serial[21];                /* --serial, or the first 20 hex digits of the UUID */
};

/**
 * Finds the identity of a store, or makes one. The store is there, and locked if it may be written.
 * An identity that is made is kept, unless options->read_only: then it ends with the process.
 *
 * @return 0, or a negated csd_status: INVALID_ARGUMENT (the file holds no identity), IO_ERROR (it
 *         can be neither read nor written); csd_last_error() says more
 */
int tgt_identity_open(struct tgt_identity *identity, const struct tgt_options *options);

#endif
