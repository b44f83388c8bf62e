/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** System calls on files that go on until all is done, also when a signal interrupts them. */
#ifndef CSD_WHOLE_IO_H
#define CSD_WHOLE_IO_H

#include <stdint.h>

/** Reads `count` bytes from byte `at` on; zeros beyond the file's end. @return 0, or an errno */
int csd_read_whole(int file, void *bytes, uint64_t count, uint64_t at);

/** Writes `count` bytes from byte `at` on. @return 0, or an errno; EIO if nothing is written */
int csd_write_whole(int file, const void *bytes, uint64_t count, uint64_t at);

/**
 * Lets bytes come into the system's cache, so that a later read of them waits less or not at all.
 * Does not wait for them itself. May do nothing.
 */
void csd_ask_ahead(int file, uint64_t count, uint64_t at);

/** Makes earlier writes to the file durable. @return 0, or an errno */
int csd_sync_whole(int file);

#endif
