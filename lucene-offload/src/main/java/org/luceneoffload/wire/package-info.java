/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Wire format: plans, result pages and posting pages as bytes. The text is {@code wire/WIRE.md}.
 */
package org.luceneoffload.wire;
