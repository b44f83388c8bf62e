/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Helpers of all packages of the fuzzer: seeds, coverage counters, folders. */
package org.luceneoffload.fuzz.base;
