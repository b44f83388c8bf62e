/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "base/timed_wait.h"

#include <time.h>

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
  if (until.tv_nsec >= 1000000000) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000;
  }
  pthread_cond_timedwait(event, lock, &until);
}

#endif
