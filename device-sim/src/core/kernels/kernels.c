/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Which kernels this machine can run, and which of them to use. */
#include "core/kernels/kernels.h"

#include <stdatomic.h>
#include <string.h>

#include "core/kernels/cpu_x86.h"

unsigned csd_kernels_list(const struct csd_kernels **list) {
  unsigned n = 0;
#if defined(__x86_64__)
  const struct csd_cpu cpu = csd_cpu_x86();
  if (cpu.avx512_vp2) {
    list[n++] = &csd_kernels_avx512_vp2;
  }
  if (cpu.avx512) {
    list[n++] = &csd_kernels_avx512;
  }
  if (cpu.avx2) {
    list[n++] = &csd_kernels_avx2;
  }
#elif defined(__aarch64__)
  list[n++] = &csd_kernels_neon;
#endif
  list[n++] = &csd_kernels_scalar;
  return n;
}

const struct csd_kernels *csd_kernels_choose(void) {
  /* Threads that come together find the same. */
  static const struct csd_kernels *_Atomic chosen;
  const struct csd_kernels *kernels = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (kernels == NULL) {
    const struct csd_kernels *list[CSD_MAX_KERNELS];
    csd_kernels_list(list);
    kernels = list[0];
    atomic_store_explicit(&chosen, kernels, memory_order_relaxed);
  }
  return kernels;
}

const struct csd_kernels *csd_kernels_find(const char *name) {
  const struct csd_kernels *list[CSD_MAX_KERNELS];
  const unsigned n = csd_kernels_list(list);
  for (unsigned i = 0; i < n; i++) {
    if (strcmp(list[i]->name, name) == 0) {
      return list[i];
    }
  }
  return NULL;
}
