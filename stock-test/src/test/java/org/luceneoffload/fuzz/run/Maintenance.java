/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.run;

import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;

/** The work of an administrator on the device lists of an index. */
public enum Maintenance {
  IMPORT,
  REPAIR,
  DETACH;

  /** Does it to the latest commit, if there is one and a device. */
  public void run(Directory directory) throws IOException {
    OffloadDirectory offload = OffloadDirectory.find(directory);
    if (offload == null || offload.whyNoImages() != null || !DirectoryReader.indexExists(offload)) {
      return;
    }
    switch (this) {
      case IMPORT -> IndexImport.run(offload, MaintenanceProgress.NONE);
      case REPAIR -> IndexRepair.run(offload, MaintenanceProgress.NONE);
      case DETACH -> IndexDetach.run(offload);
    }
  }
}
