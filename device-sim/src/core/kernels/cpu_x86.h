/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * What an x86-64 processor and its operating system let the engine use. Needs no library.
 *
 * This is the only place that asks the processor. Code for an instruction set is compiled in one of
 * two ways: a file that has nothing else gets the compiler's options for it (kernels_avx2.c,
 * avx512/kernels_avx512.c, see CMakeLists.txt); a single function gets a target attribute. Either
 * is called only where the flag below is set.
 */
#ifndef CSD_CPU_X86_H
#define CSD_CPU_X86_H

#if defined(__x86_64__)

#include <stdbool.h>
#include <stdint.h>

/** Instruction sets that are asked for; each flag covers all that its file is compiled with. */
struct csd_cpu {
  bool sse42;      /**< SSE4.2, which has CRC-32C */
  bool avx2;       /**< AVX2, BMI1, BMI2, LZCNT, POPCNT */
  bool avx512_vp2; /**< avx512 and VP2INTERSECT by AMD (family 1Ah, Zen 5, and later) */
  bool avx512; /**< avx2 and AVX-512 F, BW, VL, DQ, VBMI, VBMI2, VPOPCNTDQ: Ice Lake, Zen 4 on */
};

/** Returns them. Asks the processor once in the life of the process; threads may come together. */
struct csd_cpu csd_cpu_x86(void);

#endif

#endif
