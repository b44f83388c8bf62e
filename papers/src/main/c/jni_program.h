/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A classic program and its lists, as Java hands them over. */
#ifndef CSD_JNI_PROGRAM_H
#define CSD_JNI_PROGRAM_H

#include "csd/csd_classic.h"
#include "jni_structs.h"
#include "jni_support.h"

/** Copies a program and its workload out of a direct buffer; false if that is shorter. */
bool bridge_program(JNIEnv *env, jobject buffer, struct jni_classic_program *program,
                    struct csd_classic_workload *workload);

#endif
