/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Zeroed memory that takes up room only where it is touched. The first touch of a page costs the
 * system a microsecond or two, so that some memory is kept for who needs as much next.
 */
#ifndef CSD_LAZY_MEMORY_H
#define CSD_LAZY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Blocks that csd_lazy_keep keeps at most, and bytes of each that stay backed. */
enum { CSD_KEPT_BLOCKS = 8, CSD_KEPT_BYTES = 1 << 20 };

/** @return page-aligned memory of count * size bytes; NULL if there is none or the product is too
 *          large. Any thread may call it. */
void *csd_lazy_alloc(uint64_t count, size_t size);

/** Frees it; `count` and `size` as in csd_lazy_alloc. NULL is fine. */
void csd_lazy_free(void *memory, uint64_t count, size_t size);

/**
 * Frees it, too, but keeps it in the process for the next csd_lazy_alloc of as many bytes, if there
 * is room: zeroed, the first bytes backed by memory.
 *
 * @param touched  bytes from the first on that may have been touched
 */
void csd_lazy_keep(void *memory, uint64_t count, size_t size, uint64_t touched);

/**
 * Backs a part of it with memory at once. Worth it for what is read before it is written: the first
 * read maps a page of zeros, and the first write has to replace that on all processors, by
 * interrupts. Does nothing where the system cannot.
 */
void csd_lazy_prepare(void *memory, size_t bytes);

/** Zeros memory from the start of a page on, and lets go of it. @return whether the system did */
bool csd_lazy_zero(void *memory, size_t bytes);

/** Has memory backed by huge pages, where the system has them. */
void csd_lazy_huge(void *memory, size_t bytes);

#endif
