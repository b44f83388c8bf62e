/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What an x86-64 processor and its operating system let kernels use. Needs no library. */
#ifndef CSD_CPU_X86_H
#define CSD_CPU_X86_H

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdbool.h>
#include <stdint.h>

/** Instruction sets that kernels ask for; each flag covers all that its file is compiled with. */
struct csd_cpu {
  bool avx2;       /**< AVX2, BMI1, BMI2, LZCNT, POPCNT */
  bool avx512_vp2; /**< avx512 and VP2INTERSECT by AMD (family 1Ah, Zen 5, and later) */
  bool avx512; /**< avx2 and AVX-512 F, BW, VL, DQ, VBMI, VBMI2, VPOPCNTDQ: Ice Lake, Zen 4 on */
};

static inline bool csd_cpu_has(uint32_t word, uint32_t bits) { return (word & bits) == bits; }

/** State components that the system saves when it switches threads (XCR0). */
static inline uint32_t csd_cpu_saved_state(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/**
 * Asks the processor. CPUID can take some microseconds under a hypervisor: ask once. Registers of
 * leaf 7, 1 and 0x80000001: Intel SDM volume 2A, "CPUID"; AMD64 manual volume 3, appendix E.
 */
static inline struct csd_cpu csd_cpu_detect(void) {
  enum { SSE_AVX_STATE = 0x06, AVX512_STATE = 0xE0 };
  struct csd_cpu cpu = {false, false, false};
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) {
    return cpu;
  }
  const uint32_t popcnt = 1u << 23, osxsave = 1u << 27, avx = 1u << 28;
  if (!csd_cpu_has(c, popcnt | osxsave | avx)) {
    return cpu;
  }
  const uint32_t state = csd_cpu_saved_state();
  if (!csd_cpu_has(state, SSE_AVX_STATE)) {
    return cpu;
  }
  if (!__get_cpuid(0x80000001u, &a, &b, &c, &d) || !csd_cpu_has(c, 1u << 5 /* LZCNT */)) {
    return cpu;
  }
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
    return cpu;
  }
  const uint32_t bmi1 = 1u << 3, avx2 = 1u << 5, bmi2 = 1u << 8;
  cpu.avx2 = csd_cpu_has(b, bmi1 | avx2 | bmi2);
  const uint32_t f = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31;
  const uint32_t vbmi = 1u << 1, vbmi2 = 1u << 6, vpopcntdq = 1u << 14;
  cpu.avx512 = cpu.avx2 && csd_cpu_has(state, AVX512_STATE) && csd_cpu_has(b, f | dq | bw | vl) &&
               csd_cpu_has(c, vbmi | vbmi2 | vpopcntdq);
  const bool vp2intersect = csd_cpu_has(d, 1u << 8);
  cpu.avx512_vp2 = cpu.avx512 && vp2intersect && __get_cpuid(0, &a, &b, &c, &d) &&
                   b == 0x68747541u; /* "Auth" of AuthenticAMD */
  return cpu;
}

#endif

#endif
