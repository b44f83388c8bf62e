/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import java.nio.file.Path;
import java.util.Set;

/**
 * The report of {@code index}.
 *
 * @param index directory of the index
 * @param device name of the device
 * @param fields typed fields of the documents, each as {@code NAME:TYPE}
 * @param fieldsGuessed whether their types were guessed
 * @param valuesLeftOut values that did not fit the guess
 * @param untypedFields names that the first lines have and the index has not: no one type fits
 * @param unmetFields typed fields that no document has a value of
 * @param indexSort order of the documents in each segment, such as {@code created:desc}; null: none
 * @param reordered whether documents that share words have near doc IDs
 * @param documents documents added
 * @param inputBytes bytes of the documents' lines, unpacked
 * @param seconds time from opening the index to its commit
 * @param docsPerS documents per second
 * @param mbPerS 10^6 bytes of lines per second
 * @param threads indexing threads
 * @param totalDocuments documents in the index afterwards
 * @param segments segments of the index afterwards
 * @param imagesWritten posting images written to the device, those of merged segments too
 * @param imageBytes their bytes
 * @param imagesDropped posting images given up because of trouble with the device
 * @param imagesUnwritten posting images not begun because the device could not be written
 */
public record IndexReport(
    Path index,
    String device,
    String fields,
    boolean fieldsGuessed,
    long valuesLeftOut,
    Set<String> untypedFields,
    Set<String> unmetFields,
    String indexSort,
    boolean reordered,
    long documents,
    long inputBytes,
    double seconds,
    double docsPerS,
    double mbPerS,
    int threads,
    long totalDocuments,
    int segments,
    long imagesWritten,
    long imageBytes,
    long imagesDropped,
    long imagesUnwritten) {}
