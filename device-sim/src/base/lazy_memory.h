/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Zeroed memory that takes up room only where it is touched. */
#ifndef CSD_LAZY_MEMORY_H
#define CSD_LAZY_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/** @return page-aligned memory of count * size bytes; NULL if there is none or the product is too
 *          large */
void *csd_lazy_alloc(uint64_t count, size_t size);

/** Frees it; `count` and `size` as in csd_lazy_alloc. NULL is fine. */
void csd_lazy_free(void *memory, uint64_t count, size_t size);

#endif
