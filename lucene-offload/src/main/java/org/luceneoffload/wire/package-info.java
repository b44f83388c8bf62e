/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Numbers of the wire that a device and its host share: commands, statuses, operators. The text is
 * {@code wire/WIRE.md}.
 *
 * @since 1.0.0
 */
package org.luceneoffload.wire;
