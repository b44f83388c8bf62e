/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/session/resource.h"

#include <stdlib.h>
#include <string.h>

#include "base/lazy_memory.h"
#include "base/status.h"
#include "csd/csd.h"

enum { SLOT_BITS = 13, WORD_BYTES = 8 };
_Static_assert(1 << SLOT_BITS == CSD_MAX_RESOURCES, "a number holds a slot");
/* Generations count from 1 to this, then again from 1. */
#define MAX_GENERATION (UINT32_MAX >> SLOT_BITS)
/* Live docs of the largest segment there is. */
#define MAX_BYTES ((CSD_MAX_DOC + 63u) / 64u * WORD_BYTES)

int csd_resources_open(struct csd_resources *resources, uint64_t byte_limit, uint32_t boot) {
  *resources =
      (struct csd_resources){.byte_limit = byte_limit, .generation = boot % MAX_GENERATION + 1};
  resources->slots = calloc(CSD_MAX_RESOURCES, sizeof *resources->slots);
  if (resources->slots == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "table of %d resources", CSD_MAX_RESOURCES);
  }
  pthread_mutex_init(&resources->lock, NULL);
  return 0;
}

static void free_words(struct csd_resources *resources, struct csd_resource_slot *resource) {
  csd_lazy_free(resource->words, resource->bytes, 1);
  resources->bytes -= resource->bytes;
  resources->count--;
  *resource = (struct csd_resource_slot){0};
}

void csd_resources_close(struct csd_resources *resources) {
  for (uint32_t i = 0; i < CSD_MAX_RESOURCES; i++) {
    if (resources->slots[i].words != NULL) {
      free_words(resources, &resources->slots[i]);
    }
  }
  free(resources->slots);
  resources->slots = NULL;
  pthread_mutex_destroy(&resources->lock);
}

/* Finds the resource of a number; NULL if there is none, or it was dropped. Needs the lock. */
static struct csd_resource_slot *find(struct csd_resources *resources, uint32_t number) {
  struct csd_resource_slot *resource = &resources->slots[number & (CSD_MAX_RESOURCES - 1)];
  return number != 0 && resource->words != NULL && resource->number == number ? resource : NULL;
}

static int make(struct csd_resources *resources, uint32_t kind, uint32_t total_bytes,
                struct csd_resource_slot **made) {
  if (total_bytes > resources->byte_limit - resources->bytes) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "PUT: %u bytes exceed what is left for resources",
                    total_bytes);
  }
  for (uint32_t i = 0; i < CSD_MAX_RESOURCES; i++) {
    const uint32_t slot = (resources->hint + i) & (CSD_MAX_RESOURCES - 1);
    struct csd_resource_slot *resource = &resources->slots[slot];
    if (resource->words != NULL) {
      continue;
    }
    uint64_t *words = csd_lazy_alloc(total_bytes, 1);
    if (words == NULL) {
      break;
    }
    *resource = (struct csd_resource_slot){.words = words,
                                           .number = resources->generation << SLOT_BITS | slot,
                                           .bytes = total_bytes,
                                           .kind = kind,
                                           .references = 1};
    /* Never 0, so that no number is 0. */
    resources->generation = resources->generation % MAX_GENERATION + 1;
    resources->hint = slot + 1;
    resources->bytes += total_bytes;
    resources->count++;
    *made = resource;
    return 0;
  }
  return csd_fail(CSD_STATUS_NO_MEMORY, "PUT: no room for a resource of %u bytes", total_bytes);
}

static int check_chunk(uint32_t byte_count, uint32_t offset, uint32_t total_bytes) {
  if (total_bytes == 0 || total_bytes > MAX_BYTES || total_bytes % WORD_BYTES != 0) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "PUT: %u bytes in total", total_bytes);
  }
  if (byte_count == 0 || byte_count % WORD_BYTES != 0 || offset > total_bytes ||
      byte_count > total_bytes - offset) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "PUT: %u bytes at %u of %u", byte_count, offset,
                    total_bytes);
  }
  return 0;
}

int csd_resource_put(struct csd_resources *resources, uint32_t kind, uint32_t *number,
                     const void *bytes, uint32_t byte_count, uint32_t offset,
                     uint32_t total_bytes) {
  int status = check_chunk(byte_count, offset, total_bytes);
  if (status == 0 && kind == CSD_RESOURCE_RULE && total_bytes != sizeof(struct csd_page_rule)) {
    status = csd_fail(CSD_STATUS_INVALID_FIELD, "PUT: a rule of %u bytes", total_bytes);
  }
  if (status < 0) {
    return status;
  }
  if (*number == 0 && offset != 0) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "PUT: a new resource starts at %u", offset);
  }
  pthread_mutex_lock(&resources->lock);
  struct csd_resource_slot *resource = NULL;
  if (*number == 0) {
    status = make(resources, kind, total_bytes, &resource);
  } else {
    resource = find(resources, *number);
    if (resource == NULL || resource->kind != kind) {
      status = csd_fail(CSD_STATUS_NO_RESOURCE, "PUT: no resource %u", *number);
    }
  }
  if (status == 0 && (resource->bytes != total_bytes || resource->received != offset)) {
    status = csd_fail(CSD_STATUS_INVALID_FIELD,
                      "PUT: byte %u of %u, but resource %u has %u of %u so far", offset,
                      total_bytes, resource->number, resource->received, resource->bytes);
  }
  if (status == 0) {
    memcpy((uint8_t *)resource->words + offset, bytes, byte_count);
    resource->received += byte_count;
    *number = resource->number;
  }
  pthread_mutex_unlock(&resources->lock);
  return status;
}

static void release_locked(struct csd_resources *resources, struct csd_resource_slot *resource) {
  if (--resource->references == 0) {
    free_words(resources, resource);
  }
}

int csd_resource_drop(struct csd_resources *resources, uint32_t number) {
  pthread_mutex_lock(&resources->lock);
  struct csd_resource_slot *resource = find(resources, number);
  if (resource != NULL) {
    resource->number = 0; /* no look-up finds it again, though programs may still read it */
    release_locked(resources, resource);
  }
  pthread_mutex_unlock(&resources->lock);
  return resource != NULL ? 0 : csd_fail(CSD_STATUS_NO_RESOURCE, "DROP: no resource %u", number);
}

struct csd_resource_slot *csd_resource_acquire(struct csd_resources *resources, uint32_t kind,
                                               uint32_t number, uint32_t bits) {
  pthread_mutex_lock(&resources->lock);
  struct csd_resource_slot *resource = find(resources, number);
  if (resource != NULL && (resource->kind != kind || resource->received != resource->bytes ||
                           (uint64_t)resource->bytes * 8 < bits)) {
    resource = NULL;
  }
  if (resource != NULL) {
    resource->references++;
  }
  pthread_mutex_unlock(&resources->lock);
  return resource;
}

void csd_resource_release(struct csd_resources *resources, struct csd_resource_slot *resource) {
  pthread_mutex_lock(&resources->lock);
  release_locked(resources, resource);
  pthread_mutex_unlock(&resources->lock);
}
