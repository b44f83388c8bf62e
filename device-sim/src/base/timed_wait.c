/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "base/timed_wait.h"

enum { NS_A_SECOND = 1000000000 };

/* Before the end of a wait a thread stays awake: it may be woken so late. */
enum { AWAKE_NS = 100000 };

uint64_t csd_clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * NS_A_SECOND + (uint64_t)now.tv_nsec;
}

void csd_wait_until(uint64_t ns) {
  for (uint64_t now = csd_clock_ns(CLOCK_MONOTONIC); now < ns;
       now = csd_clock_ns(CLOCK_MONOTONIC)) {
    if (ns - now > AWAKE_NS) {
      const uint64_t asleep = ns - now - AWAKE_NS;
      nanosleep(&(struct timespec){.tv_sec = (time_t)(asleep / NS_A_SECOND),
                                   .tv_nsec = (long)(asleep % NS_A_SECOND)},
                NULL);
    }
  }
}

#ifdef __APPLE__

void csd_timed_init(pthread_cond_t *event) { pthread_cond_init(event, NULL); }

void csd_timed_wait(pthread_cond_t *event, pthread_mutex_t *lock, uint32_t nanos) {
  const struct timespec most = {.tv_nsec = nanos};
  pthread_cond_timedwait_relative_np(event, lock, &most);
}

#else

void csd_timed_init(pthread_cond_t *event) {
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(event, &monotonic);
  pthread_condattr_destroy(&monotonic);
}

void csd_timed_wait(pthread_cond_t *event, pthread_mutex_t *lock, uint32_t nanos) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += nanos;
  if (until.tv_nsec >= NS_A_SECOND) {
    until.tv_sec++;
    until.tv_nsec -= NS_A_SECOND;
  }
  pthread_cond_timedwait(event, lock, &until);
}

#endif
