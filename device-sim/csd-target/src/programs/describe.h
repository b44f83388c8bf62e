/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What a controller says of its memory and compute namespaces: Identify, and log pages. */
#ifndef TGT_PROGRAMS_DESCRIBE_H
#define TGT_PROGRAMS_DESCRIBE_H

#include <stdint.h>

struct tgt_controller;

/** Fills the Identify page of a namespace by its command set, memory or programs. */
void tgt_programs_describe_namespace(const struct tgt_controller *controller, uint32_t set,
                                     uint8_t *page);

/** Fills a log page that there is with programs alone. @return its bytes; 0: there is none */
uint32_t tgt_programs_log(struct tgt_controller *controller, uint32_t id, uint32_t nsid,
                          uint8_t *to);

#endif
