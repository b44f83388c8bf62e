/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.geo.GeoUtils;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.ValueRange;

/**
 * A field of a corpus beside ID, title and body: a number, a date, a keyword or a point of each
 * line, none or several. It is indexed for exact queries and ranges, and has doc values.
 */
public record TypedField(String name, Type type) {
  /** A point, and how far others may be away from it. */
  private static final Pattern DISTANCE = Pattern.compile("(.*),\\s*([0-9.]+)\\s*(m|km|mi|)");

  /** The types of values. */
  public enum Type {
    /** Integers of 64 bits. */
    LONG,
    /** Numbers with fractions. */
    DOUBLE,
    /** Days such as 2024-05-31, or instants such as 2024-05-31T12:00:00Z; in ms since 1970. */
    DATE,
    /** Short texts, taken as they are. */
    KEYWORD,
    /** Points: latitude and longitude in degrees. Ranges are boxes, and values have a distance. */
    GEO
  }

  /** Parses a field as the command line says it: {@code NAME:TYPE}. */
  static TypedField parse(String text) {
    int colon = text.lastIndexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    if (colon < 1) {
      throw new InputException("field '" + text + "': NAME:TYPE is needed, such as created:date");
    }
    if (CorpusLine.isOwnField(name)) {
      throw new InputException("field '" + name + "' is text, and indexed as it is");
    }
    for (Type type : Type.values()) {
      if (type.name().toLowerCase(Locale.ROOT).equals(text.substring(colon + 1))) {
        return new TypedField(name, type);
      }
    }
    throw new InputException(
        "field '" + text + "': the type must be long, double, date, keyword or geo");
  }

  /** Returns whether values are numbers, as dates are. */
  public boolean isNumber() {
    return type != Type.KEYWORD && type != Type.GEO;
  }

  /** Returns {@code NAME:TYPE}. */
  @Override
  public String toString() {
    return name + ":" + type.name().toLowerCase(Locale.ROOT);
  }

  /** Returns why a value of a line cannot be one of this field's; null if it can. */
  String whyNot(JsonNode value) {
    boolean fits =
        switch (type) {
          case LONG -> value.isIntegralNumber() && value.canConvertToLong();
          case DOUBLE -> value.isNumber();
          case DATE -> value.isTextual() && isDate(value.textValue());
          case KEYWORD ->
              value.isTextual()
                  && new BytesRef(value.textValue()).length <= IndexWriter.MAX_TERM_LENGTH;
          case GEO -> isPoint(pointText(value));
        };
    return fits ? null : "not a " + type.name().toLowerCase(Locale.ROOT) + ": " + shown(value);
  }

  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
  }

  /** Adds a value that fits. */
  void addTo(Document document, JsonNode value) {
    switch (type) {
      case LONG -> document.add(new LongField(name, value.longValue(), Field.Store.NO));
      case DOUBLE -> document.add(new DoubleField(name, value.doubleValue(), Field.Store.NO));
      case DATE ->
          document.add(new LongField(name, date(value.textValue(), false), Field.Store.NO));
      case KEYWORD -> document.add(new KeywordField(name, value.textValue(), Field.Store.NO));
      case GEO -> {
        double[] point = point(pointText(value));
        document.add(new LatLonPoint(name, point[0], point[1]));
        document.add(new LatLonDocValuesField(name, point[0], point[1]));
      }
    }
  }

  /**
   * Returns a point as queries have it, {@code LAT,LON}: a text, an object with {@code lat} and
   * {@code lon}, or an array of longitude and latitude.
   */
  public static String pointText(JsonNode value) {
    return value.isArray()
        ? value.path(1).asText() + "," + value.path(0).asText()
        : value.isObject()
            ? value.path("lat").asText() + "," + value.path("lon").asText()
            : value.asText();
  }

  private boolean isPoint(String text) {
    try {
      point(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Parses the latitude and the longitude of a point.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public double[] point(String text) {
    String[] parts = text.split(",", -1);
    if (parts.length != 2) {
      throw wrong(text);
    }
    double lat = real(parts[0]);
    double lon = real(parts[1]);
    GeoUtils.checkLatitude(lat);
    GeoUtils.checkLongitude(lon);
    return new double[] {lat, lon};
  }

  private Query box(String southWest, String northEast) {
    double[] from = point(southWest);
    double[] to = point(northEast);
    return new IndexOrDocValuesQuery(
        LatLonPoint.newBoxQuery(name, from[0], to[0], from[1], to[1]),
        LatLonDocValuesField.newSlowBoxQuery(name, from[0], to[0], from[1], to[1]));
  }

  /** Returns the query for points around {@code LAT,LON,DISTANCE}. */
  private Query circle(String text) {
    Matcher distance = DISTANCE.matcher(text);
    if (!distance.matches()) {
      throw wrong(text);
    }
    double[] point = point(distance.group(1));
    double meters =
        real(distance.group(2))
            * switch (distance.group(3)) {
              case "km" -> 1000;
              case "mi" -> 1609.344;
              default -> 1;
            };
    return new IndexOrDocValuesQuery(
        LatLonPoint.newDistanceQuery(name, point[0], point[1], meters),
        LatLonDocValuesField.newSlowDistanceQuery(name, point[0], point[1], meters));
  }

  /**
   * Returns the query for points in a polygon.
   *
   * @param corners {@code LAT,LON} of each; the last one may be the first
   * @throws IllegalArgumentException if they make none; the message says why
   */
  public Query polygon(List<String> corners) {
    boolean isClosed = !corners.isEmpty() && corners.getFirst().equals(corners.getLast());
    int count = corners.size() + (isClosed ? 0 : 1);
    double[] lats = new double[count];
    double[] lons = new double[count];
    for (int i = 0; i < count; i++) {
      double[] point = point(corners.get(i % corners.size()));
      lats[i] = point[0];
      lons[i] = point[1];
    }
    Polygon polygon = new Polygon(lats, lons);
    return new IndexOrDocValuesQuery(
        LatLonPoint.newPolygonQuery(name, polygon),
        LatLonDocValuesField.newSlowPolygonQuery(name, polygon));
  }

  static boolean isDate(String text) {
    try {
      date(text, false);
      return true;
    } catch (DateTimeParseException | ArithmeticException e) {
      return false;
    }
  }

  /**
   * Parses the milliseconds of a day or an instant.
   *
   * @param last of a day: whether its last one is wanted, not its first
   */
  private static long date(String text, boolean last) {
    if (text.indexOf('T') > 0) {
      return OffsetDateTime.parse(text).toInstant().toEpochMilli();
    }
    LocalDate day = LocalDate.parse(text);
    Instant start = (last ? day.plusDays(1) : day).atStartOfDay(ZoneOffset.UTC).toInstant();
    return start.toEpochMilli() - (last ? 1 : 0);
  }

  /**
   * Returns the query for one value; of points, for those around one: {@code LAT,LON,DISTANCE}.
   *
   * @throws IllegalArgumentException if it is no value of this field; the message says why
   */
  public Query exactly(String text) {
    if (text.equals("*")) {
      return new FieldExistsQuery(name);
    }
    return switch (type) {
      case KEYWORD -> KeywordField.newExactQuery(name, text);
      case GEO -> circle(text);
      default -> range(text, text, true, true);
    };
  }

  /**
   * Returns the query for any of some values.
   *
   * @throws IllegalArgumentException if one is no value of this field; the message says why
   */
  public Query anyOf(List<String> texts) {
    return switch (type) {
      case KEYWORD -> KeywordField.newSetQuery(name, texts.stream().map(BytesRef::new).toList());
      case DOUBLE ->
          DoubleField.newSetQuery(name, texts.stream().mapToDouble(this::real).toArray());
      case GEO -> throw wrong(texts.toString());
      default ->
          LongField.newSetQuery(
              name, texts.stream().mapToLong(text -> number(text, false)).toArray());
    };
  }

  /**
   * Returns the query for a range of values; of points, for a box from its south-western end to its
   * north-eastern one, both included.
   *
   * @param from the lower end; null: none
   * @param to the upper end; null: none
   * @throws IllegalArgumentException if an end is no value of this field; the message says why
   */
  public Query range(String from, String to, boolean withFrom, boolean withTo) {
    return switch (type) {
      case KEYWORD ->
          SortedSetDocValuesField.newSlowRangeQuery(name, bytes(from), bytes(to), withFrom, withTo);
      case DOUBLE -> doubles(from, to, withFrom, withTo);
      case GEO -> {
        if (from == null || to == null || !withFrom || !withTo) {
          throw new IllegalArgumentException(
              "field \"" + name + "\" needs both ends of a box, in square brackets");
        }
        yield box(from, to);
      }
      default -> {
        long lo = from == null ? Long.MIN_VALUE : number(from, !withFrom);
        long hi = to == null ? Long.MAX_VALUE : number(to, withTo);
        yield LongField.newRangeQuery(
            name,
            from == null || withFrom ? lo : Math.addExact(lo, 1),
            to == null || withTo ? hi : Math.addExact(hi, -1));
      }
    };
  }

  /**
   * Returns whether a range of values ends before it begins, so that it has none.
   *
   * @param from the lower end; null: none
   * @param to the upper end; null: none
   * @throws IllegalArgumentException if an end is no value of this field; the message says why
   */
  boolean isReversed(String from, String to) {
    if (from == null || to == null) {
      return false;
    }
    return switch (type) {
      case KEYWORD -> bytes(from).compareTo(bytes(to)) > 0;
      case DOUBLE -> real(from) > real(to);
      case GEO -> point(from)[0] > point(to)[0];
      default -> number(from, false) > number(to, true);
    };
  }

  /**
   * Sorts by this field: of several values the least counts, or the greatest if that comes first.
   * Documents without a value come last.
   *
   * @throws InputException if the values have no order
   */
  public SortField sortField(boolean greatestFirst) {
    if (type == Type.GEO) {
      throw new InputException("field \"" + name + "\" has points, which have no order");
    }
    if (type == Type.KEYWORD) {
      return new SortedSetSortField(
          name,
          greatestFirst,
          greatestFirst ? SortedSetSelector.Type.MAX : SortedSetSelector.Type.MIN,
          greatestFirst ? SortField.STRING_FIRST : SortField.STRING_LAST); // of the order forwards
    }
    boolean real = type == Type.DOUBLE;
    return new SortedNumericSortField(
        name,
        real ? SortField.Type.DOUBLE : SortField.Type.LONG,
        greatestFirst,
        greatestFirst ? SortedNumericSelector.Type.MAX : SortedNumericSelector.Type.MIN,
        last(greatestFirst));
  }

  /** Returns the value that stands for none in a sort. */
  private Object last(boolean greatestFirst) {
    if (type == Type.DOUBLE) {
      return greatestFirst ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    return greatestFirst ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  /**
   * Shows a sort key of {@link #sortField}.
   *
   * @return null if the document has no value
   */
  public String sortKey(Object key, boolean greatestFirst) {
    if (key == null || (type != Type.KEYWORD && key.equals(last(greatestFirst)))) {
      return null;
    }
    return switch (type) {
      case KEYWORD -> Term.toString((BytesRef) key);
      case DOUBLE -> key.toString();
      default -> show((Long) key);
    };
  }

  /** Shows a whole number of this field as a corpus has it: a day or an instant if it is a date. */
  public String show(long value) {
    if (type != Type.DATE) {
      return Long.toString(value);
    }
    Instant instant = Instant.ofEpochMilli(value);
    OffsetDateTime time = instant.atOffset(ZoneOffset.UTC);
    return time.toLocalTime().equals(LocalTime.MIDNIGHT)
        ? time.toLocalDate().toString()
        : instant.toString();
  }

  /**
   * Parses the whole numbers of a range, both ends included.
   *
   * @param from the lower end; null: none
   * @param to the upper end; null: none
   * @throws IllegalArgumentException if an end is no value of this field, or nothing is between
   *     them; the message says why
   */
  public ValueRange numbers(String from, String to) {
    return new ValueRange(
        from == null ? Long.MIN_VALUE : number(from, false),
        to == null ? Long.MAX_VALUE : number(to, true));
  }

  private static BytesRef bytes(String text) {
    return text == null ? null : new BytesRef(text);
  }

  private Query doubles(String from, String to, boolean withFrom, boolean withTo) {
    double lo = from == null ? Double.NEGATIVE_INFINITY : real(from);
    double hi = to == null ? Double.POSITIVE_INFINITY : real(to);
    return DoubleField.newRangeQuery(
        name,
        from == null || withFrom ? lo : Math.nextUp(lo),
        to == null || withTo ? hi : Math.nextDown(hi));
  }

  private double real(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw wrong(text);
    }
  }

  private long number(String text, boolean last) {
    try {
      return type == Type.DATE ? date(text, last) : Long.parseLong(text);
    } catch (DateTimeParseException | ArithmeticException | NumberFormatException e) {
      throw wrong(text);
    }
  }

  /** Returns an exception without a cause, whose words would take the place of these. */
  private IllegalArgumentException wrong(String text) {
    String kind =
        switch (type) {
          case DATE -> "a date such as 2024-05-31 or 2024-05-31T12:00:00Z";
          case LONG -> "an integer";
          case GEO -> "points such as 48.85,2.35, with a distance such as ,5km if it is no box";
          default -> "a number";
        };
    return new IllegalArgumentException(
        "field \"" + name + "\" needs " + kind + ", not '" + text + "'");
  }
}
