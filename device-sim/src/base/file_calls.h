/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** System calls on files that Linux and macOS have in different shapes. */
#ifndef CSD_FILE_CALLS_H
#define CSD_FILE_CALLS_H

#include <stdint.h>

/**
 * Lets bytes come into the system's cache, so that a later read of them waits less or not at all.
 * Does not wait for them itself. May do nothing.
 */
void csd_ask_ahead(int file, uint64_t count, uint64_t at);

/** Makes earlier writes to the file durable. @return 0, or an errno */
int csd_sync_whole(int file);

/** Opens the same file once more, for reads past the system's cache. @return its number; -1: none
 */
int csd_open_direct(int file);

/** Makes `number` lead to what `file` leads to, at once. @return 0, or an errno */
int csd_lead_file(int number, int file);

/**
 * Frees the room of bytes, which are zeros from then on. The file keeps its size.
 *
 * @return 0, or an errno; EOPNOTSUPP or ENOSYS where there are no holes
 */
int csd_punch_hole(int file, uint64_t count, uint64_t at);

#endif
