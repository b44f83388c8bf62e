/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What the engine's core asks of <string.h>, for a machine without a C library. */
#ifndef PORT_STRING_H
#define PORT_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
int strcmp(const char *a, const char *b);

#endif
