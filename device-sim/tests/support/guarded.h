/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Memory that ends where a forbidden page begins, so that one byte too far is a crash. */
#ifndef CSD_TEST_GUARDED_H
#define CSD_TEST_GUARDED_H

#include <stddef.h>

/** `bytes` bytes just before a page that can be neither read nor written; exits on failure. */
void *guarded_take(size_t bytes);

/** Gives memory back; `bytes` as it was taken. */
void guarded_free(void *memory, size_t bytes);

#endif
