/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The volume of a device: which LBAs belong to which file, kept crash-safe. */
package org.luceneoffload.store.volume;
