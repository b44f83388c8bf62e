/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import java.util.List;

/** Names of what the model counts, in the order of the wire's enumerations. */
public final class ModelNames {
  /** Kinds of work, see {@code model_work}. */
  public static final List<String> WORK =
      List.of(
          "list_read",
          "probe_read",
          "score_read",
          "result_write",
          "result_read",
          "sram_access",
          "compare",
          "page_open",
          "block_open",
          "block_skip",
          "posting_decode",
          "posting_search",
          "posting_score",
          "bitmap_word",
          "result_take",
          "dram_line",
          "tuple_read",
          "column_read",
          "index_check",
          "tree_node",
          "key_compare",
          "column_value",
          "aggregate_value",
          "token_compare");

  /** Kinds of work that every profile gives a cost; without one, a later kind takes no time. */
  static final int WORK_OF_EVERY_PROFILE = WORK.indexOf("dram_line") + 1;

  /** Parts of a request's time, see {@code model_part}. */
  public static final List<String> PARTS =
      List.of("io", "dram", "compute", "fixed", "link", "send", "rank", "queue");

  /** Kinds of resources, see {@code model_resource}. */
  public static final List<String> RESOURCES =
      List.of(
          "link",
          "firmware",
          "core",
          "dram_bus",
          "channel",
          "ecc",
          "plane",
          "host_core",
          "host_dram",
          "request");

  /** The components that draw power, see {@code model_component}. */
  public static final List<String> COMPONENTS =
      List.of(
          "link",
          "controller",
          "core",
          "dram",
          "channel",
          "flash",
          "host",
          "host_core",
          "host_dram");

  private ModelNames() {}
}
