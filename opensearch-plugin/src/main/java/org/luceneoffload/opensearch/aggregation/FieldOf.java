/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.aggregation;

import org.opensearch.index.mapper.BooleanFieldMapper;
import org.opensearch.index.mapper.DateFieldMapper;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.NumberFieldMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.DocValueFormat;
import org.opensearch.search.aggregations.support.ValuesSourceAggregationBuilder;

/**
 * The field of an aggregation.
 *
 * @param name in the index
 * @param kind of its values
 * @param format of its values in a response
 */
record FieldOf(String name, Kind kind, DocValueFormat format) {
  /** What values are, in the doc values and to OpenSearch. */
  enum Kind {
    /** Keywords. */
    KEYWORD,
    /** Whole numbers of 32 bits at most, or booleans. */
    INT,
    /** Whole numbers of 64 bits. */
    LONG,
    /** Milliseconds since 1970. */
    DATE;

    /** Returns whether values are whole numbers. */
    boolean isNumber() {
      return this != KEYWORD;
    }
  }

  /**
   * Returns the field of an aggregation that takes nothing but its values; null if it takes more.
   */
  static FieldOf of(ValuesSourceAggregationBuilder<?> builder, QueryShardContext shard) {
    if (builder.field() == null
        || builder.script() != null
        || builder.missing() != null
        || builder.userValueTypeHint() != null) {
      return null;
    }
    MappedFieldType type = shard.fieldMapper(builder.field());
    if (type == null || !type.hasDocValues()) {
      return null;
    }
    Kind kind = kind(type);
    return kind == null
        ? null
        : new FieldOf(type.name(), kind, type.docValueFormat(builder.format(), builder.timeZone()));
  }

  private static Kind kind(MappedFieldType type) {
    if (type.getClass() == KeywordFieldMapper.KeywordFieldType.class) {
      return Kind.KEYWORD;
    } else if (type.getClass() == BooleanFieldMapper.BooleanFieldType.class) {
      return Kind.INT;
    } else if (type instanceof DateFieldMapper.DateFieldType date
        && date.resolution() == DateFieldMapper.Resolution.MILLISECONDS) {
      return Kind.DATE;
    } else if (type.getClass() == NumberFieldMapper.NumberFieldType.class) {
      return switch (((NumberFieldMapper.NumberFieldType) type).numberType()) {
        case BYTE, SHORT, INTEGER -> Kind.INT;
        case LONG -> Kind.LONG;
        default -> null;
      };
    }
    return null;
  }
}
