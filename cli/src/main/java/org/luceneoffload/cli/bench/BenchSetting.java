/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.util.Version;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.bench.machine.Processor;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.search.DeviceWork;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.image.ImageDirectory;

/**
 * What was measured, and where.
 *
 * @param index directory of the index
 * @param device name of the device
 * @param hostOnly why both sides are stock Lucene; null if they are not
 * @param cpu name of the processor
 * @param kernels kernels of the device; null if there is no device
 * @param lucene version of Lucene
 * @param java version of the JVM
 * @param vectorModule whether the JVM has the vector module, which Lucene uses
 * @param documents live documents of the index
 * @param segments segments of the index
 */
record BenchSetting(
    Path index,
    String device,
    String hostOnly,
    String cpu,
    String kernels,
    String lucene,
    String java,
    boolean vectorModule,
    int documents,
    int segments) {

  /** Describes this machine, and an index. */
  static BenchSetting of(IndexOptions index, OffloadDirectory directory, DirectoryReader reader) {
    DeviceHandle handle = ImageDirectory.find(directory).handle();
    return new BenchSetting(
        index.index(),
        index.device(),
        DeviceWork.whyHost(directory),
        Processor.name(),
        handle == null ? null : handle.device().info().kernels(),
        Version.LATEST.toString(),
        Runtime.version().toString(),
        ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent(),
        reader.numDocs(),
        reader.leaves().size());
  }

  /** Returns how many segments the device answered, of those that were searched. */
  String onDevice(long answered, long onHost) {
    return hostOnly == null ? answered + "/" + (answered + onHost) : "none";
  }

  /**
   * Prints it.
   *
   * @param queries how many were measured, in words
   */
  void print(String queries, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s in %s, %s; Lucene %s, Java %s, vector module %s; device %s, kernels %s; %s%n",
        Figures.count(documents, "document"),
        Figures.count(segments, "segment"),
        queries,
        lucene,
        java,
        vectorModule ? "on" : "off",
        device,
        kernels == null ? "none" : kernels,
        cpu);
    if (hostOnly != null) {
      out.println(
          "Both sides are stock Lucene (" + hostOnly + "): ratios show the noise of this machine.");
    }
  }
}
