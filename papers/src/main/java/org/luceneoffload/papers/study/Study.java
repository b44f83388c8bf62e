/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;

/** The experiments of a paper. What a study keeps of its runs is freed when it is closed. */
public interface Study extends AutoCloseable {
  /** Returns the paper's short name, see {@link Papers}. */
  String paper();

  /**
   * Returns a sentence that names the numbers that a profile lacks and the experiments need, or
   * null.
   */
  String missing(DeviceProfile profile);

  /**
   * Runs the experiments. Everything follows from the profile: two runs give the same report.
   *
   * @param profile device and host; lacks nothing
   * @param progress is told what runs
   * @throws IOException if the model refuses an experiment, or the published figures cannot be read
   */
  PaperReport run(DeviceProfile profile, Progress progress) throws IOException;

  /**
   * Fits again what was fitted, from values that are far off.
   *
   * @return the fitted numbers by path; {@code workload.NAME} is a number of the workload
   * @throws IOException if the model refuses an experiment
   */
  Map<String, Long> fit(DeviceProfile profile, Progress progress) throws IOException;

  /** Returns the seeds that lists and tables are drawn from. */
  default List<Long> seeds() {
    return List.of();
  }

  /**
   * Returns a study of the same figures that is made for many runs under profiles that differ in a
   * number: on a sample of the workload, where all of it takes long.
   */
  default Study sample() {
    return this;
  }

  /** Returns a sentence that says which part of the workload is run; empty: all of it. */
  default String workload() {
    return "";
  }

  @Override
  default void close() {}

  /** Returns a fitted number as the report uses it. */
  default long inUse(DeviceProfile profile, String path) {
    return profile.get(path);
  }
}
