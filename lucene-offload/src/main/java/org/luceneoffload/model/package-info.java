/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Device profiles: the numbers from which the device model computes simulated time and energy, each
 * with its unit and its source, and the reports that the model gives back. Nothing here reads a
 * clock; all times are simulated.
 */
package org.luceneoffload.model;
