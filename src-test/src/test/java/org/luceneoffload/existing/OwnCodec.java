/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.LiveDocsFormat;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene90.Lucene90LiveDocsFormat;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.codec.Offload104PostingsFormat;

/** Codecs as applications write them, with names of their own. */
final class OwnCodec {
  private OwnCodec() {}

  /** An application's codec that stock Lucene's does not stand for. */
  static final class Plain extends FilterCodec {
    private final LiveDocsFormat liveDocs = new Lucene90LiveDocsFormat();

    Plain() {
      super("OwnPlain", new Lucene104Codec());
    }

    @Override
    public LiveDocsFormat liveDocsFormat() {
      return liveDocs;
    }
  }

  /** The same with device lists. */
  public static final class Offloaded extends OffloadCodec {
    /** For the service loader. */
    public Offloaded() {
      super("OwnOffloaded", new Plain(), field -> !field.equals("title"));
    }
  }

  /** Our postings format, and nothing else of ours. */
  public static final class Composed extends FilterCodec {
    private final PostingsFormat format = new Offload104PostingsFormat();

    /** For the service loader. */
    public Composed() {
      super("OwnComposed", new Lucene104Codec());
    }

    @Override
    public PostingsFormat postingsFormat() {
      return format;
    }
  }
}
