/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Doc IDs of a result, as a host looks at them before it takes them. */
#ifndef CSD_DOCS_H
#define CSD_DOCS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Looks at `n` doc IDs; returns a number that is negative if one of them is, or is not greater than
 * the one before it. The one before the first is read, too.
 */
int32_t csd_docs_disorder(const int32_t *docs, size_t n);

#ifdef __cplusplus
}
#endif

#endif
