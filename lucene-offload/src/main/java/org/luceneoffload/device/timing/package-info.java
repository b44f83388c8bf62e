/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The timing model of a device: a facet, its settings, and what it says of plans. */
package org.luceneoffload.device.timing;
