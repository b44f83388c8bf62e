/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Resources: data that a host puts into device memory in chunks, for plans to refer to. A complete
 * resource never changes. If one is dropped while a program reads it, it stays until that program
 * ends.
 */
#ifndef CSD_RESOURCE_H
#define CSD_RESOURCE_H

#include <pthread.h>
#include <stdint.h>

enum { CSD_MAX_RESOURCES = 8192 };

struct csd_resource_slot {
  uint64_t *words; /* NULL: the slot is free */
  uint32_t number;
  uint32_t bytes;
  uint32_t received;
  uint32_t kind;       /* enum csd_resource */
  uint32_t references; /* one of the table, one of each program that reads it */
};

struct csd_resources {
  struct csd_resource_slot *slots;
  uint32_t count;
  uint64_t bytes, byte_limit;
  uint32_t generation; /* of the next resource; part of its number */
  uint32_t hint;
  pthread_mutex_t lock;
};

/** @param byte_limit  of all resources together. @return 0, or -NO_MEMORY */
int csd_resources_open(struct csd_resources *resources, uint64_t byte_limit, uint32_t boot);
/** Frees all of them. None may be acquired. */
void csd_resources_close(struct csd_resources *resources);

/**
 * Takes one chunk of a resource. Chunks come in order, without gaps.
 *
 * @param kind    enum csd_resource
 * @param number  0 makes a resource; set to its number
 * @param offset  bytes that came before, in total `total_bytes`, all multiples of 8
 * @return 0, or a negated status: INVALID_FIELD, NO_RESOURCE, NO_MEMORY
 */
int csd_resource_put(struct csd_resources *resources, uint32_t kind, uint32_t *number,
                     const void *bytes, uint32_t byte_count, uint32_t offset, uint32_t total_bytes);

/** @return 0, or -NO_RESOURCE */
int csd_resource_drop(struct csd_resources *resources, uint32_t number);

/** Acquires a complete resource of a kind and at least `bits` bits; NULL if there is none. */
struct csd_resource_slot *csd_resource_acquire(struct csd_resources *resources, uint32_t kind,
                                               uint32_t number, uint32_t bits);
void csd_resource_release(struct csd_resources *resources, struct csd_resource_slot *resource);

#endif
