/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The best hits of a SYNONYM, without a look at most of its other matches. */
#ifndef CSD_ROOT_SYNONYM_H
#define CSD_ROOT_SYNONYM_H

#include "core/root/root_way.h"

extern const struct csd_root_way csd_way_synonym;

#endif
