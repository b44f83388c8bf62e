/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain;

import java.util.List;

/**
 * The outcome of a detachment.
 *
 * @param images images taken from the device
 * @param columnImages of them, those of columns
 * @param bytes their bytes, free from now on or when the last reader of an image closes
 * @param segmentsRewritten segments that have another codec now, by {@link IndexDetach.Codec#STOCK}
 * @param storeRemoved whether the device's store file, empty now, was removed
 * @param seconds wall-clock time
 * @param leftOut what could not be removed, and why
 */
public record DetachReport(
    int images,
    int columnImages,
    long bytes,
    int segmentsRewritten,
    boolean storeRemoved,
    double seconds,
    List<String> leftOut) {}
