/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * {@code offload reproduce}: the experiments of the first search-engine computational SSD, run
 * again on the device model. Every time and energy here is simulated, so the same profile gives the
 * same bytes.
 */
package org.luceneoffload.papers;
