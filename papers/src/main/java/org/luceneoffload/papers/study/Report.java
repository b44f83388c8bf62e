/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.util.List;
import java.util.stream.Stream;

/**
 * The findings of {@code offload reproduce}. Everything is simulated and follows from what the
 * header names.
 *
 * @param header how to make the report again
 * @param papers by paper
 * @param beside the same papers on another device, in the same order; empty if there is none
 * @param drive a measured drive; null if there is none
 */
public record Report(
    Header header, List<PaperReport> papers, List<PaperReport> beside, PaperReport drive) {
  /** Returns the same paper on the other device, or null. */
  public PaperReport besides(PaperReport paper) {
    return beside.isEmpty() || paper == drive ? null : beside.get(papers.indexOf(paper));
  }

  /** Returns the papers, then the drive. */
  public List<PaperReport> sections() {
    return Stream.concat(papers.stream(), Stream.ofNullable(drive)).toList();
  }

  /** Returns the reports of both devices, then the drive. */
  public List<PaperReport> all() {
    return Stream.of(papers.stream(), beside.stream(), Stream.ofNullable(drive))
        .flatMap(one -> one)
        .toList();
  }
}
