/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The best hits of one scored term and optional children: whole posting blocks of the term are
 * left out by what bounds all of them. */
#ifndef CSD_ROOT_LEAD_H
#define CSD_ROOT_LEAD_H

#include "core/root/root_way.h"

extern const struct csd_root_way csd_way_lead;

#endif
