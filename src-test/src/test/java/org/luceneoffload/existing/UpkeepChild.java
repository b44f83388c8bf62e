/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import java.nio.file.Path;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;

/** Imports, repairs or detaches, slowly enough to be killed meanwhile. */
final class UpkeepChild {
  private UpkeepChild() {}

  /** Arguments: index, device, what to do. */
  public static void main(String[] args) throws Exception {
    MaintenanceProgress slow =
        (segment, postings, of) -> {
          try {
            Thread.sleep(5);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    Path index = Path.of(args[0]);
    try (OffloadDirectory directory = OffloadDirectory.open(index, args[1])) {
      System.out.println("ready");
      System.out.flush();
      switch (args[2]) {
        case "import" -> IndexImport.run(directory, slow);
        case "repair" -> IndexRepair.run(directory, slow);
        case "detach" -> IndexDetach.run(directory);
        case "stock" -> IndexDetach.run(directory, IndexDetach.Codec.STOCK);
        default -> throw new IllegalArgumentException(args[2]);
      }
    }
    System.out.println("done");
  }
}
