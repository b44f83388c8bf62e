/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The properties of a controller: what registers are on other transports. */
#ifndef TGT_PROPERTIES_H
#define TGT_PROPERTIES_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_controller;

/** @param wide  of eight bytes, else four. @return false if there is no such property */
bool tgt_property_get(struct tgt_controller *controller, uint32_t offset, bool wide,
                      uint64_t *value);

/** Only CC may be set. May wait for I/O queues to end, and for the store. */
bool tgt_property_set(struct tgt_controller *controller, uint32_t offset, bool wide,
                      uint64_t value);

#endif
