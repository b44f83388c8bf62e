/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;

/** The papers that can be reproduced, by short name, and the device of each. */
public final class Papers {
  /** Wang and Park, "SSD In-Storage Computing for Search Engines", 2016. */
  public static final String SEARCH = "s1";

  /** Do et al., "Query Processing on Smart SSDs", SIGMOD 2013. */
  public static final String TABLES = "s2";

  /** Koo et al., "Summarizer", MICRO 2017. */
  public static final String TASKS = "s3";

  /** Koo et al., "FLIXR", IEEE Transactions on Computers, 2022. */
  public static final String PAGE_INDEX = "s4";

  private static final Map<String, String> PROFILES = profiles();

  private Papers() {}

  private static Map<String, String> profiles() {
    Map<String, String> profiles = new LinkedHashMap<>();
    profiles.put(SEARCH, "smart-ssd-sas");
    profiles.put(TABLES, "smart-ssd-sas-2013");
    profiles.put(TASKS, "summarizer-board");
    profiles.put(PAGE_INDEX, "cosmos-openssd");
    return Collections.unmodifiableMap(profiles);
  }

  /** Returns the short names, in the order of the report. */
  public static List<String> names() {
    return List.copyOf(PROFILES.keySet());
  }

  /**
   * Returns the profile of a paper's own device. What the paper says is no target of others.
   *
   * @throws IllegalArgumentException if there is no such paper; the message lists them
   */
  public static String profileOf(String paper) {
    String profile = PROFILES.get(paper);
    if (profile == null) {
      throw new IllegalArgumentException(
          "no paper '" + paper + "'; there are " + String.join(", ", names()));
    }
    return profile;
  }

  /**
   * Returns whether a profile is that of a paper's own device, name and every number. A file that
   * has only the name is another device.
   */
  public static boolean isOwn(String paper, DeviceProfile profile) throws IOException {
    return Arrays.equals(profile.wireArray(), Profiles.load(profileOf(paper)).wireArray());
  }
}
