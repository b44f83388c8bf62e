/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What a status of the wire is on NVMe; wire/WIRE.md, section "NVMe", has the table. */
#ifndef TGT_STATUS_MAP_H
#define TGT_STATUS_MAP_H

#include <stdint.h>

/**
 * @param wire    a csd_status, positive
 * @param opcode  of the command on the wire
 * @return status with DNR where trying again is no use
 */
uint16_t tgt_status_of(int wire, uint8_t opcode);

/** The way back, as a host does it. @return the csd_status, or -1 if it is none of the wire's */
int tgt_status_to_wire(uint16_t status);

#endif
