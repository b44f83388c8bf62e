/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The drop-in jar. What is exported to everybody is the public API; what is exported to a tool of
 * this project may change with it. A test holds the tools to these lists on the class path, too.
 */
@SuppressWarnings("module") // the tools are named as modules here, and run on the class path
module org.luceneoffload {
  requires transitive org.apache.lucene.core;
  requires static transitive org.apache.lucene.facet; // for the package facet
  requires static org.apache.lucene.queries; // for spans
  requires static com.fasterxml.jackson.core; // for device profiles
  requires static com.sun.jna; // for NVMe namespaces
  requires static org.bouncycastle.tls; // for TLS to storage nodes
  requires static jdk.jfr;

  // What an application names.
  exports org.luceneoffload;
  exports org.luceneoffload.aggregate;
  exports org.luceneoffload.config;
  exports org.luceneoffload.facet;
  exports org.luceneoffload.maintain;
  exports org.luceneoffload.report;

  // What a back end implements, and the numbers of the wire that it has to know.
  exports org.luceneoffload.device;
  exports org.luceneoffload.wire;

  // What parts of this project look into.
  exports org.luceneoffload.codec to
      org.luceneoffload.benchmarks,
      org.luceneoffload.cli,
      org.luceneoffload.opensearch;
  exports org.luceneoffload.codec.column to
      org.luceneoffload.cli;
  exports org.luceneoffload.device.task to
      org.luceneoffload.papers;
  exports org.luceneoffload.device.timing to
      org.luceneoffload.cli,
      org.luceneoffload.papers;
  exports org.luceneoffload.maintain.node to
      org.luceneoffload.cli;
  exports org.luceneoffload.model to
      org.luceneoffload.cli,
      org.luceneoffload.papers;
  exports org.luceneoffload.natives to
      org.luceneoffload.papers;
  exports org.luceneoffload.planner to
      org.luceneoffload.papers;
  exports org.luceneoffload.search.choice to
      org.luceneoffload.benchmarks;
  exports org.luceneoffload.sim to
      org.luceneoffload.papers;
  exports org.luceneoffload.store.guard to
      org.luceneoffload.cli;
  exports org.luceneoffload.store.image to
      org.luceneoffload.cli;
  exports org.luceneoffload.store.node to
      org.luceneoffload.cli;
  exports org.luceneoffload.store.volume to
      org.luceneoffload.cli;
  exports org.luceneoffload.wire.layout to
      org.luceneoffload.cli,
      org.luceneoffload.papers;
  exports org.luceneoffload.wire.page to
      org.luceneoffload.papers;
  exports org.luceneoffload.wire.plan to
      org.luceneoffload.papers;

  uses org.luceneoffload.device.DeviceProvider;

  provides org.apache.lucene.codecs.Codec with
      org.luceneoffload.OffloadCodec;
  provides org.apache.lucene.codecs.PostingsFormat with
      org.luceneoffload.codec.Offload104PostingsFormat;
  provides org.luceneoffload.device.DeviceProvider with
      org.luceneoffload.sim.SimDeviceProvider,
      org.luceneoffload.nvme.NvmeDeviceProvider,
      org.luceneoffload.nvme.tcp.CsdDeviceProvider;
}
