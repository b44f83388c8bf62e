/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A test harness in one header. A test program is a row of static functions and
 *   int main(void) { RUN(one); RUN(two); return check_result(); }
 * A failed CHECK prints file:line and what did not hold, and the test goes on; REQUIRE leaves the
 * function.
 */
#ifndef CSD_CHECK_H
#define CSD_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern int check_failures; /* of this program; defined in check.c; updated atomically */
extern int check_count;

bool check_that(bool holds, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool check_equal(int64_t expected, int64_t actual, const char *file, int line, const char *text);
bool check_status(int expected, int actual, const char *file, int line, const char *text);
int check_result(void);

#define CHECK(condition) check_that((condition), __FILE__, __LINE__, "%s", #condition)
/* With a message for loops: CHECK_MSG(x == y, "seed %d", seed). */
#define CHECK_MSG(condition, ...) check_that((condition), __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_EQ(expected, actual) \
  check_equal((int64_t)(expected), (int64_t)(actual), __FILE__, __LINE__, #actual)
/* `call` returns the negated status; on a mismatch the error trail is printed too. */
#define CHECK_STATUS(status, call) check_status(-(int)(status), (call), __FILE__, __LINE__, #call)
#define CHECK_OK(call) check_status(0, (call), __FILE__, __LINE__, #call)
#define REQUIRE(condition)                                              \
  do {                                                                  \
    if (!check_that((condition), __FILE__, __LINE__, "%s", #condition)) \
      return;                                                           \
  } while (0)
#define REQUIRE_OK(call)                                     \
  do {                                                       \
    if (!check_status(0, (call), __FILE__, __LINE__, #call)) \
      return;                                                \
  } while (0)
#define RUN(test)                                                             \
  do {                                                                        \
    const int before = check_failures;                                        \
    test();                                                                   \
    printf("%s %s\n", check_failures == before ? "ok    " : "FAILED", #test); \
  } while (0)

/** A random number generator (splitmix64), seeded by the test so that a failure repeats. */
static inline uint64_t check_random(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/** A number from 0 to bound - 1. */
static inline uint32_t check_random_below(uint64_t *state, uint32_t bound) {
  return (uint32_t)(((check_random(state) >> 32) * bound) >> 32);
}

#endif
