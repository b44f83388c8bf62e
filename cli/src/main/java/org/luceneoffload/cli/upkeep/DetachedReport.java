/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import java.nio.file.Path;
import java.util.List;

/**
 * The report of {@code detach}.
 *
 * @param index directory of the index
 * @param device name of the device
 * @param ok whether nothing of the index is left on the device
 * @param images images taken from it
 * @param columnImages of them, those of columns
 * @param bytes their bytes
 * @param segmentsRewritten segments that have the codec below now
 * @param storeRemoved whether the device's store file, empty now, was removed
 * @param seconds wall-clock time
 * @param leftOut what could not be removed, and why
 */
record DetachedReport(
    Path index,
    String device,
    boolean ok,
    int images,
    int columnImages,
    long bytes,
    int segmentsRewritten,
    boolean storeRemoved,
    double seconds,
    List<String> leftOut) {}
