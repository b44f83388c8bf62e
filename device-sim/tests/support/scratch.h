/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Scratch files for tests. */
#ifndef CSD_SCRATCH_H
#define CSD_SCRATCH_H

/** Path of a scratch file that does not exist yet, the same for the same name within a process;
 *  removed when the process ends. The text stays. */
const char *scratch_path(const char *name);

#endif
