/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.concurrency;

import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/** A directory that is closed by its owner, not by what is around it. */
public final class Unclosed extends FilterDirectory {
  /** Wraps a directory. */
  public Unclosed(Directory in) {
    super(in);
  }

  @Override
  public void close() {}
}
