/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.codec;

import java.util.Set;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.luceneoffload.OffloadCodec;
import org.opensearch.index.codec.CodecAliases;

/**
 * Makes {@code offload} a value of {@code index.codec}: OpenSearch takes those that codecs of the
 * service loader name as aliases. What writes segments is {@link OffloadCodecs}.
 *
 * @lucene.spi {@value #NAME}
 */
public final class OpenSearchOffloadCodec extends OffloadCodec implements CodecAliases {
  /** SPI name. */
  public static final String NAME = "OpenSearchOffload104";

  /** The value of {@code index.codec}. */
  public static final String ALIAS = "offload";

  /** For the service loader. */
  public OpenSearchOffloadCodec() {
    super(NAME, new Lucene104Codec(), OffloadCodecs::hasImages);
  }

  @Override
  public Set<String> aliases() {
    return Set.of(ALIAS);
  }
}
