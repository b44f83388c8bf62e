/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of optional terms beside a constant that every doc scores, the base. A doc with
 * none of the terms scores the base alone; once that is not competitive, only docs with one of the
 * terms are looked at.
 */
#ifndef CSD_ROOT_BASE_H
#define CSD_ROOT_BASE_H

#include "core/root/root_way.h"

extern const struct csd_root_way csd_way_base;

#endif
