/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Who does the work, device or host: estimates of what it would take on either, from what is known
 * before anything runs. Nothing here reads a clock; all times are simulated ones of a profile.
 */
package org.luceneoffload.planner;
