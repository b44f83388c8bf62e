/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Resources: data that a host puts into device memory, in chunks, and that plans refer to. Once
 * complete a resource never changes; one that is dropped while a program reads it goes when the
 * program ends.
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
  uint32_t references; /* the table's own, and one a program */
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
/** Frees all of them; none may be held. */
void csd_resources_close(struct csd_resources *resources);

/**
 * Takes one chunk of live docs. Chunks come in order, without gaps.
 *
 * @param number  0 makes a resource; set to its number
 * @param offset  bytes that came before, in total `total_bytes`, all multiples of 8
 * @return 0, or a negated status: INVALID_FIELD, NO_RESOURCE, NO_MEMORY
 */
int csd_resource_put(struct csd_resources *resources, uint32_t *number, const void *bytes,
                     uint32_t byte_count, uint32_t offset, uint32_t total_bytes);

/** @return 0, or -NO_RESOURCE */
int csd_resource_drop(struct csd_resources *resources, uint32_t number);

/** Holds a complete resource of at least `bits` bits; NULL if there is none. */
struct csd_resource_slot *csd_resource_hold(struct csd_resources *resources, uint32_t number,
                                            uint32_t bits);
void csd_resource_let_go(struct csd_resources *resources, struct csd_resource_slot *resource);

#endif
