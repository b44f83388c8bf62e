/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Reads and writes of files that go on until all is done, also when a signal interrupts them. */
#ifndef CSD_WHOLE_IO_H
#define CSD_WHOLE_IO_H

#include <stdint.h>

/** Reads `count` bytes from byte `at` on; zeros beyond the file's end. @return 0, or an errno */
int csd_read_whole(int file, void *bytes, uint64_t count, uint64_t at);

/** Writes `count` bytes from byte `at` on. @return 0, or an errno; EIO if nothing is written */
int csd_write_whole(int file, const void *bytes, uint64_t count, uint64_t at);

#endif
