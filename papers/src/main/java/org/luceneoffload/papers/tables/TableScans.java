/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.classic.TableStore;
import org.luceneoffload.papers.classic.table.Layout;
import org.luceneoffload.papers.classic.table.Query;
import org.luceneoffload.papers.tables.TableLab.Full;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/** Every scan of the paper of 2013 under one profile, at full size. */
final class TableScans {
  /** Where a scan runs, and over which pages. */
  enum Where {
    /** The regular SSD: row pages, on the host. */
    SSD(ModelSide.HOST, Layout.NSM),
    /** The hard disk: row pages of the widest table, on the host. */
    HDD(ModelSide.HOST, Layout.NSM),
    /** The Smart SSD over row pages. */
    NSM(ModelSide.DEVICE, Layout.NSM),
    /** The Smart SSD over column pages. */
    PAX(ModelSide.DEVICE, Layout.PAX);

    private final int side;
    private final Layout layout;

    Where(int side, Layout layout) {
      this.side = side;
      this.layout = layout;
    }
  }

  private record Key(Where where, int columns, boolean sums, int ppm) {}

  private final Map<Key, Full> scans = new LinkedHashMap<>();
  private final DeviceProfile profile;
  private final int scale;

  private TableScans(DeviceProfile profile, int scale) {
    this.profile = profile;
    this.scale = scale;
  }

  /** Runs all of them over tables that are so many times smaller than the paper's. */
  static TableScans run(DeviceProfile profile, int scale, Progress progress) throws IOException {
    TableScans scans = new TableScans(profile, scale);
    try (TableStore store = new TableStore()) {
      for (int columns : TableLab.TABLES) {
        progress.tell("s2: scans of " + columns + " columns");
        for (Where where : Where.values()) {
          if (where != Where.HDD || columns == TableLab.WIDEST) {
            scans.scan(store, where, columns);
          }
        }
      }
    }
    return scans;
  }

  /** Scans a table for all selectivities, with sums and without. */
  private void scan(TableStore store, Where where, int columns) throws IOException {
    List<Key> keys = new ArrayList<>();
    for (boolean sums : new boolean[] {false, true}) {
      TableLab.SELECTIVITIES.forEach(ppm -> keys.add(new Key(where, columns, sums, ppm)));
    }
    List<Query> queries = keys.stream().map(k -> Query.ofPpm(k.ppm(), k.sums())).toList();
    DeviceProfile device = where == Where.HDD ? TableLab.hardDisk(profile) : profile;
    List<Full> all = TableLab.run(store, device, where.side, columns, where.layout, queries, scale);
    for (int i = 0; i < keys.size(); i++) {
      scans.put(keys.get(i), all.get(i));
    }
  }

  /** Returns a scan. */
  Full of(Where where, int columns, boolean sums, int ppm) {
    return scans.get(new Key(where, columns, sums, ppm));
  }

  /** Returns the selection that the paper gives most figures of: 0.1 % of the rows. */
  Full first(Where where, int columns) {
    return of(where, columns, false, TableLab.SELECTIVITIES.get(0));
  }

  /** Returns how many times faster than on the regular SSD a selection is. */
  double gain(Where where, int columns, int ppm) {
    return of(Where.SSD, columns, false, ppm).seconds() / of(where, columns, false, ppm).seconds();
  }
}
