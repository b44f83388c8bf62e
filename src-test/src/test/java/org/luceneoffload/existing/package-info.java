/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Indexes that exist already: imported, repaired, detached, and opened with the jar alone. */
package org.luceneoffload.existing;
