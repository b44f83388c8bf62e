/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What every room of the fuzzer uses: seeds, coverage counters, folders. */
package org.luceneoffload.fuzz.base;
