/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import java.util.Collection;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * A directory in which something fails: the making, writing, closing, syncing, renaming or deleting
 * of a file. Either one thing does, or everything from then on, as after a crash.
 */
final class FailingDirectory extends FilterDirectory {
  private final boolean once;
  private long allowed = Long.MAX_VALUE;
  private boolean failed;

  FailingDirectory(Directory in, boolean once) {
    super(in);
    this.once = once;
  }

  /** Lets so many things succeed. */
  void failAfter(long things) {
    allowed = things;
    failed = false;
  }

  /** Lets everything succeed. */
  void heal() {
    allowed = Long.MAX_VALUE;
  }

  /** Returns how many things are left that succeed. */
  long allowed() {
    return allowed;
  }

  private void count(String what) throws IOException {
    if (allowed > 0) {
      allowed--;
      return;
    }
    if (!failed || !once) {
      failed = true;
      throw new IOException("injected failure: " + what);
    }
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    count("create " + name);
    return new FilterIndexOutput("failing " + name, name, in.createOutput(name, context)) {
      @Override
      public void writeBytes(byte[] b, int offset, int length) throws IOException {
        count("write " + name);
        super.writeBytes(b, offset, length);
      }

      @Override
      public void close() throws IOException {
        super.close();
        count("close " + name);
      }
    };
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    count("sync " + names);
    in.sync(names);
  }

  @Override
  public void syncMetaData() throws IOException {
    count("sync of names");
    in.syncMetaData();
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    count("rename " + source);
    in.rename(source, dest);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    count("delete " + name);
    in.deleteFile(name);
  }

  @Override
  public void close() {}
}
