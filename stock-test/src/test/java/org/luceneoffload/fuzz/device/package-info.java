/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The device under the fuzzer: counted, and falsified on demand. */
package org.luceneoffload.fuzz.device;
