/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

/**
 * A run of pages of a file that are neighbours on the device.
 *
 * @param filePage first page number in the file
 * @param pageCount pages, at least 1
 * @param lba LBA of the first
 */
public record PlanExtent(int filePage, int pageCount, long lba) {}
