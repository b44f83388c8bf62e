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

/**
 * Backs a part of it with memory at once. Worth it for what is read before it is written: the first
 * read maps a page of zeros, and the first write has to replace that on all processors, by
 * interrupts. Does nothing where the system cannot.
 */
void csd_lazy_prepare(void *memory, size_t bytes);

#endif
