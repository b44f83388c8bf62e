/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.Distributions;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.Part;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.PartSupplierGenerator;
import io.trino.tpch.RegionGenerator;
import io.trino.tpch.SupplierGenerator;
import io.trino.tpch.TextPool;
import io.trino.tpch.TpchEntity;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * TPC-H's tables LINEITEM and PART, made by a port of the benchmark's generator, as pages of rows.
 * All columns are there. Comments, which no query looks at, are cut from a smaller text than the
 * benchmark's.
 */
final class TpchTables {
  /** Scale factor of the paper's experiments. */
  static final double SCALE = 0.1;

  private static final int TEXT_BYTES = 1 << 20;

  private final double scale;
  private final Distributions distributions = Distributions.getDefaultDistributions();
  private final TextPool text = new TextPool(TEXT_BYTES, distributions);
  private final LineItemGenerator items;
  private final PartGenerator parts;

  /** Prepares tables of a scale factor; the same rows each time. */
  TpchTables(double scale) {
    this.scale = scale;
    items = new LineItemGenerator(scale, 1, 1, distributions, text);
    parts = new PartGenerator(scale, 1, 1, distributions, text);
  }

  /** Returns the rows of LINEITEM. */
  Iterable<LineItem> items() {
    return items;
  }

  /** Returns the rows of PART. */
  Iterable<Part> parts() {
    return parts;
  }

  /** Returns LINEITEM in pages. */
  List<ByteBuffer> itemPages() {
    RowPages pages = new RowPages();
    for (LineItem item : items) {
      ByteBuffer row = pages.row();
      row.putInt((int) item.getPartKey()).putInt((int) item.getQuantity());
      row.putInt((int) item.getExtendedPriceInCents());
      row.put((byte) item.getDiscountPercent()).put((byte) item.getTaxPercent());
      row.put((byte) item.getReturnFlag().charAt(0)).put((byte) item.getStatus().charAt(0));
      row.putShort((short) item.getShipDate()).putShort((short) item.getCommitDate());
      row.putShort((short) item.getReceiptDate());
      row.putInt((int) item.getOrderKey()).putInt((int) item.getSupplierKey());
      row.putInt(item.getLineNumber());
      pages.text(item.getShipInstructions());
      pages.text(item.getShipMode());
      pages.text(item.getComment());
      pages.add();
    }
    return pages.end();
  }

  /** Returns PART in pages. */
  List<ByteBuffer> partPages() {
    RowPages pages = new RowPages();
    for (Part part : parts) {
      ByteBuffer row = pages.row();
      row.putInt((int) part.getPartKey()).putInt(part.getSize());
      row.putInt((int) part.getRetailPriceInCents());
      pages.text(part.getName());
      pages.text(part.getManufacturer());
      pages.text(part.getBrand());
      pages.text(part.getType());
      pages.text(part.getContainer());
      pages.text(part.getComment());
      pages.add();
    }
    return pages.end();
  }

  /** Returns the bytes of all eight tables as the benchmark writes them, as text. */
  long textBytes() {
    List<Iterable<? extends TpchEntity>> tables =
        List.of(
            items,
            parts,
            new OrderGenerator(scale, 1, 1, distributions, text),
            new CustomerGenerator(scale, 1, 1, distributions, text),
            new PartSupplierGenerator(scale, 1, 1, text),
            new SupplierGenerator(scale, 1, 1, distributions, text),
            new NationGenerator(distributions, text),
            new RegionGenerator(distributions, text));
    long bytes = 0;
    for (Iterable<? extends TpchEntity> table : tables) {
      for (TpchEntity row : table) {
        bytes += row.toLine().length() + 1;
      }
    }
    return bytes;
  }
}
