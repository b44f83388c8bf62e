/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** CRC-32C (Castagnoli, RFC 3720): the checksum of posting pages. */
#ifndef CSD_CRC32C_H
#define CSD_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/**
 * Continues a checksum; by the processor's instruction where there is one.
 *
 * @param crc  0 to start, else the checksum of the bytes before
 */
uint32_t csd_crc32c(uint32_t crc, const uint8_t *bytes, size_t count);

/** The same by table, on any processor. */
uint32_t csd_crc32c_portable(uint32_t crc, const uint8_t *bytes, size_t count);

#endif
