/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;

/** The typed fields of a corpus, in the order in which they were named. For any thread. */
public final class TypedFields {
  /** No typed fields. */
  public static final TypedFields NONE = new TypedFields(List.of(), false);

  /** The key, in the user data of a commit, under which an index names its fields. */
  private static final String KEY = "offload.fields";

  private final Map<String, TypedField> fields = new LinkedHashMap<>();
  private final boolean guessed;
  private final AtomicLong leftOut = new AtomicLong();
  private final Set<String> untyped; // names of the guess that no type fits
  private final Set<String> met = ConcurrentHashMap.newKeySet(); // fields that a document had

  private TypedFields(Collection<TypedField> fields, boolean guessed) {
    this(fields, guessed, Set.of());
  }

  private TypedFields(Collection<TypedField> fields, boolean guessed, Set<String> untyped) {
    this.guessed = guessed;
    this.untyped = untyped;
    for (TypedField field : fields) {
      TypedField other = this.fields.put(field.name(), field);
      if (other != null && !other.equals(field)) {
        throw new InputException("field '" + field.name() + "' is both " + other + " and " + field);
      }
    }
  }

  /** Parses the fields that the command line names, each as {@code NAME:TYPE}. */
  public static TypedFields parse(List<String> texts) {
    return new TypedFields(texts.stream().map(TypedField::parse).toList(), false);
  }

  /** Returns the fields that an index has, as its commit says. */
  private static TypedFields ofCommit(Map<String, String> userData) {
    String text = userData.get(KEY);
    return text == null || text.isEmpty() ? NONE : parse(List.of(text.split(",")));
  }

  /** Returns the fields of the index that a reader was opened on. */
  public static TypedFields of(DirectoryReader reader) throws IOException {
    return ofCommit(reader.getIndexCommit().getUserData());
  }

  /** Returns the fields of an index that may not exist; none if it does not. */
  public static TypedFields of(Directory directory) throws IOException {
    return DirectoryReader.indexExists(directory)
        ? ofCommit(SegmentInfos.readLatestCommit(directory).getUserData())
        : NONE;
  }

  /**
   * Guesses the fields from the first lines of a corpus: those that have values of one type in all
   * lines that have any.
   */
  public static TypedFields guess(List<byte[]> lines) {
    Map<String, TypedField.Type> types = new LinkedHashMap<>();
    for (byte[] line : lines) {
      if (CorpusLine.isBlank(line)) {
        continue;
      }
      JsonNode node;
      try {
        node = CorpusLine.tree(line, "");
      } catch (InputException e) {
        continue; // whoever indexes it says what is wrong with it
      }
      node.properties().stream()
          .filter(part -> !CorpusLine.isOwnField(part.getKey()) && part.getKey().indexOf(',') < 0)
          .forEach(part -> guess(part.getKey(), part.getValue(), types));
    }
    return new TypedFields(
        types.entrySet().stream()
            .filter(entry -> entry.getValue() != null)
            .map(entry -> new TypedField(entry.getKey(), entry.getValue()))
            .toList(),
        true,
        types.entrySet().stream()
            .filter(entry -> entry.getValue() == null)
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static void guess(String name, JsonNode value, Map<String, TypedField.Type> types) {
    for (JsonNode each : value.isArray() ? value : List.of(value)) {
      if (each.isNull()) {
        continue;
      }
      TypedField.Type type = Guess.of(each);
      if (!types.containsKey(name)) {
        types.put(name, type);
      } else {
        types.put(name, Guess.both(types.get(name), type));
      }
    }
  }

  /** Rules of guessing; null is a type of no field. */
  private static final class Guess {
    private static final int LONGEST_KEYWORD = 100;

    static TypedField.Type of(JsonNode value) {
      if (value.isIntegralNumber() && value.canConvertToLong()) {
        return TypedField.Type.LONG;
      } else if (value.isNumber()) {
        return TypedField.Type.DOUBLE;
      } else if (!value.isTextual() || value.textValue().length() > LONGEST_KEYWORD) {
        return null;
      }
      return TypedField.isDate(value.textValue()) ? TypedField.Type.DATE : TypedField.Type.KEYWORD;
    }

    static TypedField.Type both(TypedField.Type one, TypedField.Type other) {
      if (one == other || one == null || other == null) {
        return one == other ? one : null;
      }
      boolean numbers = isNumber(one) && isNumber(other);
      boolean texts = !isNumber(one) && !isNumber(other);
      return numbers ? TypedField.Type.DOUBLE : texts ? TypedField.Type.KEYWORD : null;
    }

    private static boolean isNumber(TypedField.Type type) {
      return type == TypedField.Type.LONG || type == TypedField.Type.DOUBLE;
    }
  }

  /** Returns these fields and others, of an index that is extended. */
  public TypedFields and(TypedFields more) {
    List<TypedField> all = new ArrayList<>(fields.values());
    all.addAll(more.fields.values());
    return new TypedFields(all, guessed || more.guessed);
  }

  /** Returns all of them. */
  public Collection<TypedField> all() {
    return fields.values();
  }

  /** Returns whether there are none. */
  public boolean isEmpty() {
    return fields.isEmpty();
  }

  /** Returns whether the types were guessed. */
  public boolean isGuessed() {
    return guessed;
  }

  /** Returns how many values did not fit the guess and were left out, so far. */
  public long leftOut() {
    return leftOut.get();
  }

  /** Returns the names of the guess that are left out: no one type fits their values. */
  public Set<String> untyped() {
    return untyped;
  }

  /** Returns the names of the fields that no document so far had a value of. */
  public Set<String> unmet() {
    Set<String> unmet = new TreeSet<>(fields.keySet());
    unmet.removeAll(met);
    return unmet;
  }

  /** Returns a field; null if it is none of these. */
  public TypedField get(String name) {
    return fields.get(name);
  }

  /** Returns the user data of a commit that names these fields. */
  public Map<String, String> toCommit() {
    return isEmpty() ? Map.of() : Map.of(KEY, names(","));
  }

  /**
   * Adds the values of a line to its document.
   *
   * @param origin file and line, for the message
   * @throws InputException if a value does not fit, unless the type was guessed
   */
  void addTo(Document document, JsonNode line, String origin) {
    for (TypedField field : fields.values()) {
      JsonNode value = line.get(field.name());
      if (value == null || value.isNull()) {
        continue;
      }
      for (JsonNode each : value.isArray() ? value : List.of(value)) {
        String why = field.whyNot(each);
        if (why == null) {
          field.addTo(document, each);
          met.add(field.name());
        } else if (guessed) {
          leftOut.incrementAndGet();
        } else {
          throw new InputException(origin + ": field \"" + field.name() + "\": " + why);
        }
      }
    }
  }

  private String names(String separator) {
    return fields.values().stream()
        .map(TypedField::toString)
        .collect(Collectors.joining(separator));
  }

  /** Returns the fields, each as {@code NAME:TYPE}. */
  @Override
  public String toString() {
    return names(", ");
  }
}
