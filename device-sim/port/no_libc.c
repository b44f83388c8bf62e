/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The few functions that compilers and the core call, for a machine that has no C library. */
#include <stddef.h>
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  return memmove(to, from, bytes);
}

/* volatile keeps the compiler from seeing a memmove in a memmove, and calling it. */
void *memmove(void *to, const void *from, size_t bytes) {
  volatile unsigned char *t = to;
  const unsigned char *f = from;
  if (to < from) {
    for (size_t i = 0; i < bytes; i++) {
      t[i] = f[i];
    }
  } else {
    for (size_t i = bytes; i > 0; i--) {
      t[i - 1] = f[i - 1];
    }
  }
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  volatile unsigned char *t = to;
  for (size_t i = 0; i < bytes; i++) {
    t[i] = (unsigned char)value;
  }
  return to;
}

int memcmp(const void *a, const void *b, size_t bytes) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < bytes; i++) {
    if (x[i] != y[i]) {
      return x[i] - y[i];
    }
  }
  return 0;
}

int strcmp(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return (unsigned char)*a - (unsigned char)*b;
}
