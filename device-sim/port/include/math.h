/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What the engine's core asks of <math.h>, for a machine without a C library. */
#ifndef PORT_MATH_H
#define PORT_MATH_H

#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)

#endif
