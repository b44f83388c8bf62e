/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.util.List;

/**
 * A file without a name that may still be read on another host.
 *
 * @param since number of the first snapshot that has no name for it: who began with a later one, or
 *     with this one, does not know it
 * @param extents where it is
 */
record GoneFile(long since, List<Extent> extents) {}
