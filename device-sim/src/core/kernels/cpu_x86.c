/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/kernels/test_kernels.c: kernels that it finds must run. */
#include "core/kernels/cpu_x86.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdatomic.h>

static bool has(uint32_t word, uint32_t bits) { return (word & bits) == bits; }

/* State components that the system saves when it switches threads (XCR0). */
static uint32_t saved_state(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/*
 * Asks the processor. CPUID can take some microseconds under a hypervisor: ask once. Registers of
 * leaf 7, 1 and 0x80000001: Intel SDM volume 2A, "CPUID"; AMD64 manual volume 3, appendix E.
 */
static struct csd_cpu detect(void) {
  enum { SSE_AVX_STATE = 0x06, AVX512_STATE = 0xE0 };
  struct csd_cpu cpu = {.sse42 = false};
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) {
    return cpu;
  }
  cpu.sse42 = has(c, 1u << 20);
  const uint32_t popcnt = 1u << 23, osxsave = 1u << 27, avx = 1u << 28;
  if (!has(c, popcnt | osxsave | avx)) {
    return cpu;
  }
  const uint32_t state = saved_state();
  if (!has(state, SSE_AVX_STATE)) {
    return cpu;
  }
  if (!__get_cpuid(0x80000001u, &a, &b, &c, &d) || !has(c, 1u << 5 /* LZCNT */)) {
    return cpu;
  }
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
    return cpu;
  }
  const uint32_t bmi1 = 1u << 3, avx2 = 1u << 5, bmi2 = 1u << 8;
  cpu.avx2 = has(b, bmi1 | avx2 | bmi2);
  const uint32_t f = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31;
  const uint32_t vbmi = 1u << 1, vbmi2 = 1u << 6, vpopcntdq = 1u << 14;
  cpu.avx512 = cpu.avx2 && has(state, AVX512_STATE) && has(b, f | dq | bw | vl) &&
               has(c, vbmi | vbmi2 | vpopcntdq);
  const bool vp2intersect = has(d, 1u << 8);
  cpu.avx512_vp2 = cpu.avx512 && vp2intersect && __get_cpuid(0, &a, &b, &c, &d) &&
                   b == 0x68747541u; /* "Auth" of AuthenticAMD */
  return cpu;
}

/* Threads that come together find the same. */
struct csd_cpu csd_cpu_x86(void) {
  enum { KNOWN = 1, SSE42 = 2, AVX2 = 4, AVX512 = 8, AVX512_VP2 = 16 };
  static atomic_uint found;
  unsigned flags = atomic_load_explicit(&found, memory_order_relaxed);
  if (flags == 0) {
    const struct csd_cpu cpu = detect();
    flags = KNOWN | (cpu.sse42 ? SSE42 : 0u) | (cpu.avx2 ? AVX2 : 0u) | (cpu.avx512 ? AVX512 : 0u) |
            (cpu.avx512_vp2 ? AVX512_VP2 : 0u);
    atomic_store_explicit(&found, flags, memory_order_relaxed);
  }
  return (struct csd_cpu){.sse42 = (flags & SSE42) != 0,
                          .avx2 = (flags & AVX2) != 0,
                          .avx512 = (flags & AVX512) != 0,
                          .avx512_vp2 = (flags & AVX512_VP2) != 0};
}

#endif
