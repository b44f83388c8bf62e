/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate.keyword;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;

/**
 * The keywords of a segment's field by their ordinals. Those of fields with few are kept until the
 * segment is closed, numbered over all segments: Lucene decompresses a block of its dictionary for
 * each look-up, and segments whose keywords have numbers in common are added up without terms. Of
 * others their number is kept: it takes the opening of a dictionary to find it out.
 */
public abstract sealed class Keywords {
  /** Most keywords of a field and segment that are kept. */
  public static final long MAX_KEPT = 4096;

  /** By segment and field: {@link Kept}, or how many there are. */
  private static final Map<IndexReader.CacheKey, Map<String, Object>> KEPT =
      new ConcurrentHashMap<>();

  /** The numbers of a field; segments that are kept hold them. */
  private static final Map<String, WeakReference<Numbers>> NUMBERS = new HashMap<>();

  /** Returns the keywords of a field, for the calling thread alone. */
  public static Keywords of(LeafReader reader, String field) throws IOException {
    IndexReader.CacheHelper helper = reader.getCoreCacheHelper();
    Map<String, Object> fields = helper == null ? null : KEPT.get(helper.getKey());
    Object known = fields == null ? null : fields.get(field);
    if (known == null) {
      SortedSetDocValues values = DocValues.getSortedSet(reader, field);
      if (helper == null) {
        return new Looked(reader, field, values.getValueCount());
      }
      known = values.getValueCount() > MAX_KEPT ? values.getValueCount() : keep(field, values);
      Map<String, Object> made = new ConcurrentHashMap<>();
      fields = KEPT.putIfAbsent(helper.getKey(), made);
      if (fields == null) {
        fields = made;
        helper.addClosedListener(KEPT::remove);
      }
      fields.put(field, known);
    }
    return known instanceof Kept kept ? kept : new Looked(reader, field, (Long) known);
  }

  /** Returns the number of segments of which something is kept; for tests. */
  public static int segmentsKept() {
    return KEPT.size();
  }

  private static Kept keep(String field, SortedSetDocValues values) throws IOException {
    BytesRef[] terms = new BytesRef[Math.toIntExact(values.getValueCount())];
    for (int ord = 0; ord < terms.length; ord++) {
      terms[ord] = BytesRef.deepCopyOf(values.lookupOrd(ord));
    }
    synchronized (NUMBERS) {
      WeakReference<Numbers> present = NUMBERS.get(field);
      Numbers numbers = present == null ? null : present.get();
      if (numbers == null || numbers.isFull()) {
        numbers = new Numbers();
        NUMBERS.values().removeIf(reference -> reference.get() == null);
        NUMBERS.put(field, new WeakReference<>(numbers));
      }
      return new Kept(numbers, numbers.add(terms));
    }
  }

  /** Returns the number of keywords. */
  public abstract long count();

  /** Returns a keyword, which the caller does not change. */
  public abstract BytesRef get(long ord) throws IOException;

  /**
   * Terms with numbers.
   *
   * @param numbers the numbers in the order of the terms
   */
  public record Terms(BytesRef[] byNumber, int[] numbers) {
    static Terms of(BytesRef[] byNumber) {
      int[] numbers =
          IntStream.range(0, byNumber.length)
              .boxed()
              .sorted(Comparator.comparing(number -> byNumber[number]))
              .mapToInt(Integer::intValue)
              .toArray();
      return new Terms(byNumber, numbers);
    }

    /** Returns how many there are. */
    int count() {
      return numbers.length;
    }
  }

  /** Keywords of a field over segments, each with a number from 0 on. */
  public static final class Numbers {
    /** Segments that come when there are more get new numbers, as those of others may be gone. */
    private static final int FULL = 4 * (int) MAX_KEPT;

    private final Map<BytesRef, Integer> numbers = new HashMap<>();
    private volatile Terms terms = Terms.of(new BytesRef[0]);

    private boolean isFull() {
      return terms.count() >= FULL;
    }

    /** Returns the number of each term; those that have none get one. */
    private int[] add(BytesRef[] added) {
      int[] of = new int[added.length];
      BytesRef[] all = Arrays.copyOf(terms.byNumber(), terms.count() + added.length);
      for (int i = 0; i < added.length; i++) {
        Integer number = numbers.putIfAbsent(added[i], numbers.size());
        of[i] = number == null ? numbers.size() - 1 : number;
        all[of[i]] = number == null ? added[i] : all[of[i]];
      }
      terms = Terms.of(Arrays.copyOf(all, numbers.size()));
      return of;
    }

    /** Returns the terms that have a number now. */
    Terms terms() {
      return terms;
    }
  }

  /** Keywords that are kept, with their numbers. */
  public static final class Kept extends Keywords {
    private final Numbers numbers;
    private final int[] numberOf;

    private Kept(Numbers numbers, int[] numberOf) {
      this.numbers = numbers;
      this.numberOf = numberOf;
    }

    /** Returns the numbers of the field's keywords. */
    Numbers numbers() {
      return numbers;
    }

    /** Returns the number of a keyword. */
    int number(long ord) {
      return numberOf[(int) ord];
    }

    @Override
    public long count() {
      return numberOf.length;
    }

    @Override
    public BytesRef get(long ord) {
      return numbers.terms().byNumber()[numberOf[(int) ord]];
    }
  }

  private static final class Looked extends Keywords {
    private final LeafReader reader;
    private final String field;
    private final long count;
    private SortedSetDocValues values;

    Looked(LeafReader reader, String field, long count) {
      this.reader = reader;
      this.field = field;
      this.count = count;
    }

    @Override
    public long count() {
      return count;
    }

    @Override
    public BytesRef get(long ord) throws IOException {
      if (values == null) {
        values = DocValues.getSortedSet(reader, field);
      }
      return BytesRef.deepCopyOf(values.lookupOrd(ord));
    }
  }
}
