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
 */
public record Report(Header header, List<PaperReport> papers, List<PaperReport> beside) {
  /** Returns the same paper on the other device, or null. */
  public PaperReport besides(PaperReport paper) {
    return beside.isEmpty() ? null : beside.get(papers.indexOf(paper));
  }

  /** Returns the reports of both devices. */
  public List<PaperReport> all() {
    return Stream.concat(papers.stream(), beside.stream()).toList();
  }
}
