/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The golden programs of wire/vectors/good, as vectors_to_c.sh makes them into C. */
#ifndef PORT_VECTORS_H
#define PORT_VECTORS_H

#include <stddef.h>
#include <stdint.h>

#include "memory_pages.h"

struct vector_bytes {
  const uint8_t *bytes;
  uint32_t size;
};

struct vector {
  const char *name;
  const struct memory_page *pages;
  uint32_t page_count;
  struct vector_bytes plan;
  struct vector_bytes live_docs;
  const struct vector_bytes *results;
  uint32_t result_count;
};

extern const struct vector vectors[];
extern const uint32_t vector_count;

#endif
