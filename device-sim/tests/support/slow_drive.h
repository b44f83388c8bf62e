/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A slow drive under the files of a test, and one that fails. It takes the place of the system
 * calls that read files and ask for them ahead. Its time is counted, not waited for: a page of 4
 * KiB comes one delay after it was read or asked for first, and stays in the cache. So a test sees
 * how often a program waits, whatever the machine is doing. For one thread.
 */
#ifndef CSD_SLOW_DRIVE_H
#define CSD_SLOW_DRIVE_H

#include <stdint.h>

struct slow_drive_seen {
  uint32_t delays;  /* that passed while reads waited, one after the other */
  uint32_t reads;   /* system calls */
  uint32_t asks;    /* system calls that ask for pages ahead */
  uint32_t deepest; /* most pages that were on their way at once */
};

/** Begins with an empty cache. */
void slow_drive_start(void);

/** Reads of pages that are not in the cache fail with this errno from now on; 0: they do not. */
void slow_drive_fail(int cause);

/** Reads of pages that are not in the cache sleep for a millisecond from now on, besides. */
void slow_drive_sleep(void);

/** Every read gives one byte only from now on. */
void slow_drive_shorten(void);

/** What has been seen since the start, or since the last call of this. */
struct slow_drive_seen slow_drive_look(void);

/** From now on files are the system's again. */
void slow_drive_stop(void);

#endif
