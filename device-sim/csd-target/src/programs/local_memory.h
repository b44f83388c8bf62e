/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The memory namespace as a controller has it: bytes of its own, zero until they are written. They
 * take memory block by block as they are written, of what its host may have. Safe for all queues of
 * a controller.
 */
#ifndef TGT_LOCAL_MEMORY_H
#define TGT_LOCAL_MEMORY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct tgt_controller;

enum { TGT_MEMORY_BLOCK = 64 << 10 };

struct tgt_local_memory {
  uint64_t bytes;       /* of the namespace, whole blocks */
  pthread_mutex_t lock; /* guards what follows; taken before those of server and controller */
  uint8_t *start;       /* mapped */
  bool *written;        /* by block */
};

/** @return false if memory is short */
bool tgt_local_memory_open(struct tgt_local_memory *memory, uint64_t bytes);
void tgt_local_memory_close(struct tgt_local_memory *memory);
/** Gives all blocks back; the controller's count of them is the caller's. */
void tgt_local_memory_clear(struct tgt_local_memory *memory);

/** Whether a range is one of whole dwords within the namespace. */
bool tgt_local_memory_has(const struct tgt_local_memory *memory, uint64_t from, uint64_t bytes);

/** Reads a range that is there. */
void tgt_local_memory_read(struct tgt_local_memory *memory, uint64_t from, void *to,
                           uint64_t bytes);

/**
 * Writes a range that is there.
 *
 * @param data  NULL: zeros
 * @return false if the host has its share of memory; nothing was written
 */
bool tgt_local_memory_write(struct tgt_controller *controller, uint64_t to, const void *data,
                            uint64_t bytes);

/** Copies between two ranges that are there and apart. @return as above */
bool tgt_local_memory_copy(struct tgt_controller *controller, uint64_t to, uint64_t from,
                           uint64_t bytes);

#endif
