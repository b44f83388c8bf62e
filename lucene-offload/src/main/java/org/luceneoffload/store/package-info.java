/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Files on a device: the volume, which maps names to runs of LBAs, and the inputs and outputs over
 * it.
 */
package org.luceneoffload.store;
