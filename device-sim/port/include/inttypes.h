/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What the engine's core asks of <inttypes.h>, for a machine without a C library. */
#ifndef PORT_INTTYPES_H
#define PORT_INTTYPES_H

#include <stdint.h>

#ifdef __INT32_FMTd__ /* clang says how its types are printed */
#define PRIu32 __UINT32_FMTu__
#define PRIX32 __UINT32_FMTX__
#define PRIu64 __UINT64_FMTu__
#define PRId64 __INT64_FMTd__
#elif defined(__arm__) /* newlib's rules, which gcc follows there */
#define PRIu32 "lu"
#define PRIX32 "lX"
#define PRIu64 "llu"
#define PRId64 "lld"
#else
#define PRIu32 "u"
#define PRIX32 "X"
#define PRIu64 "lu"
#define PRId64 "ld"
#endif

#endif
