/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.lab.ModelLab;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Study;

/**
 * The figures of the paper on search, for run after run: one seed of the real workload, and nothing
 * of what goes beyond the paper. What the programs do is recorded once, and then only played.
 */
final class SearchSample implements Study {
  private static final int SEEDS = 1;

  private final String only;
  private ModelLab lab;

  SearchSample(String only) {
    this.only = only;
  }

  @Override
  public String paper() {
    return Papers.SEARCH;
  }

  @Override
  public String missing(DeviceProfile profile) {
    return null;
  }

  @Override
  public String workload() {
    return "The real workload is that of one seed: 100 queries of 1,000.";
  }

  @Override
  public List<Long> seeds() {
    return study().seeds();
  }

  @Override
  public PaperReport run(DeviceProfile profile, Progress progress) throws IOException {
    if (lab == null) {
      lab = new ModelLab(profile, true);
    }
    lab.use(profile);
    return study().run(profile, progress);
  }

  private Study study() {
    return new SearchStudy(only, lab, SEEDS);
  }

  @Override
  public Map<String, Long> fit(DeviceProfile profile, Progress progress) throws IOException {
    return study().fit(profile, progress);
  }

  @Override
  public void close() {
    if (lab != null) {
      lab.close();
    }
  }
}
