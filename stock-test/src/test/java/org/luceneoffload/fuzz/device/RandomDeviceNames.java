/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.device;

import java.util.Random;
import org.luceneoffload.model.Profiles;

/** Random devices: roomy, with little memory, with few sessions, soon full. */
public final class RandomDeviceNames {
  private static final String[] OPTIONS = {
    "capacity=256m,dram=32m,sessions=8",
    "capacity=256m,dram=32m,sessions=8",
    "capacity=256m,dram=32m,sessions=8",
    "capacity=256m,dram=4m,sessions=1",
    "capacity=256m,dram=64k,sessions=2", // the fewest frames there can be
    "capacity=256m,dram=256k,sessions=4",
    "capacity=512k,dram=8m,sessions=4", // soon full
    "capacity=2m,dram=1m,sessions=3",
    "capacity=256m,dram=16m,sessions=4,profile=", // the planner has a say
  };

  private RandomDeviceNames() {}

  public static String random(Random random) {
    String options = OPTIONS[random.nextInt(OPTIONS.length)];
    if (options.endsWith("=")) {
      options += Profiles.names().get(random.nextInt(Profiles.names().size()));
    }
    return WatchedDeviceProvider.SCHEME + ":" + options;
  }

  /** A device with room for large images; its memory may hold them all or only a part. */
  public static String roomy(Random random) {
    int megabytes = 2 << random.nextInt(5);
    return WatchedDeviceProvider.SCHEME + ":capacity=512m,sessions=8,dram=" + megabytes + "m";
  }
}
