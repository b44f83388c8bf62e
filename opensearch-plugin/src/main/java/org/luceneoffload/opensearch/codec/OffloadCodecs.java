/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.codec;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.opensearch.settings.Images;
import org.luceneoffload.opensearch.settings.IndexOffload;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.codec.AdditionalCodecs;
import org.opensearch.index.codec.CodecService;
import org.opensearch.index.codec.CodecServiceConfig;
import org.opensearch.index.mapper.MapperService;

/** The codecs that write images, over those of OpenSearch. */
public final class OffloadCodecs implements AdditionalCodecs {
  /** Fields of OpenSearch's own that no query looks for in many documents. */
  private static final Set<String> WITHOUT_IMAGES =
      Set.of("_id", "_seq_no", "_version", "_soft_deletes", "_recovery_source");

  private static final String LUCENES = new Lucene104Codec().getName();

  private final Function<IndexSettings, IndexOffload> indexes;

  /**
   * Codecs.
   *
   * @param indexes what is set for an index
   */
  public OffloadCodecs(Function<IndexSettings, IndexOffload> indexes) {
    this.indexes = indexes;
  }

  static boolean hasImages(String field) {
    return !WITHOUT_IMAGES.contains(field);
  }

  @Override
  public Map<String, Codec> getCodecs(
      MapperService mapper, IndexSettings index, Supplier<Codec> defaultCodec) {
    return Map.of(OpenSearchOffloadCodec.ALIAS, wrap(defaultCodec.get(), indexes.apply(index)));
  }

  /** Adds images to a codec; one that is not Lucene's under its own name stays as it is. */
  private static Codec wrap(Codec codec, IndexOffload index) {
    return codec.getName().equals(LUCENES)
        ? new OffloadCodec(codec, field -> index.images() != Images.NONE && hasImages(field))
        : codec;
  }

  /** Returns the codecs of an index that keeps its own, with images. */
  public CodecService wrapped(CodecServiceConfig config) {
    IndexOffload index = indexes.apply(config.getIndexSettings());
    return new CodecService(
        config.getMapperService(),
        config.getIndexSettings(),
        config.getLogger(),
        config.getAdditionalCodecs()) {
      @Override
      public Codec codec(String name) {
        return wrap(super.codec(name), index);
      }
    };
  }
}
