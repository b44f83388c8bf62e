/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.workload.BenchCorpus;
import org.luceneoffload.workload.CorpusLine;
import org.luceneoffload.workload.shape.FeatureShapes;

/**
 * Makes an index of a corpus with vectors like those that models learn, of 50 to 150 features a
 * document, beside its text: {@code offload bench --shapes 'learned sparse'} asks it. A word weighs
 * what BM25 gives it; a document is expanded with words that are often found beside its own. The
 * same corpus makes the same vectors.
 */
public final class SparseVectors {
  private static final int OWN = 80;
  private static final int MAX_FEATURES = 150;
  private static final int LEADING = 12; // words of a document that others are added for
  private static final int PAIRED = 8; // words of a document that count as beside each other
  private static final int PARTNERS = 5; // of a word
  private static final int PAIRED_DOCS = 100_000;
  private static final int MIN_DOCS = 5;
  private static final float OF_PARTNER = 0.35f;
  private static final float K1 = 1.2f;
  private static final float B = 0.75f;

  private final List<CorpusLine> lines;
  private final Map<String, Integer> numbers = new HashMap<>(); // of words
  private final List<String> words = new ArrayList<>();
  private final List<int[]> texts = new ArrayList<>(); // of each document: words in their order
  private int[] docs = new int[1024]; // that have a word
  private int[][] partners;

  private SparseVectors(List<CorpusLine> lines) {
    this.lines = lines;
  }

  private void read() throws IOException {
    try (StandardAnalyzer analyzer = new StandardAnalyzer()) {
      for (CorpusLine line : lines) {
        int[] text = new int[16];
        int length = 0;
        String whole = (line.title() == null ? "" : line.title() + " ") + line.body();
        try (TokenStream tokens = analyzer.tokenStream("body", new StringReader(whole))) {
          CharTermAttribute token = tokens.addAttribute(CharTermAttribute.class);
          tokens.reset();
          while (tokens.incrementToken()) {
            text = length == text.length ? Arrays.copyOf(text, 2 * length) : text;
            text[length++] = number(token.toString());
          }
          tokens.end();
        }
        texts.add(Arrays.copyOf(text, length));
        Arrays.stream(text, 0, length).distinct().forEach(word -> docs[word]++);
      }
    }
  }

  private int number(String word) {
    Integer number = numbers.get(word);
    if (number == null) {
      number = words.size();
      numbers.put(word, number);
      words.add(word);
      docs = number == docs.length ? Arrays.copyOf(docs, 2 * number) : docs;
    }
    return number;
  }

  private float idf(int word) {
    return (float) Math.log(1 + (texts.size() - docs[word] + 0.5) / (docs[word] + 0.5));
  }

  /** Returns the words of a document that are no rarities, the weightiest first, with weights. */
  private Map<Integer, Float> own(int[] text, float averageLength) {
    Map<Integer, Integer> freqs = new LinkedHashMap<>();
    Arrays.stream(text)
        .filter(word -> docs[word] >= MIN_DOCS)
        .forEach(word -> freqs.merge(word, 1, Integer::sum));
    float norm = K1 * (1 - B + B * text.length / averageLength);
    Map<Integer, Float> weights = new HashMap<>();
    freqs.forEach((word, freq) -> weights.put(word, idf(word) * freq * (K1 + 1) / (freq + norm)));
    Map<Integer, Float> sorted = new LinkedHashMap<>();
    freqs.keySet().stream()
        .sorted((a, b) -> Float.compare(weights.get(b), weights.get(a)))
        .limit(OWN)
        .forEach(word -> sorted.put(word, weights.get(word)));
    return sorted;
  }

  private float averageLength() {
    return (float) texts.stream().mapToInt(text -> text.length).average().orElse(1);
  }

  /** Finds, for each word, those that are most often among the weightiest of the same document. */
  private void pair() {
    float average = averageLength();
    long[] pairs = new long[Math.min(PAIRED_DOCS, texts.size()) * PAIRED * PAIRED];
    int count = 0;
    for (int[] text : texts.subList(0, Math.min(PAIRED_DOCS, texts.size()))) {
      int[] best = own(text, average).keySet().stream().mapToInt(w -> w).limit(PAIRED).toArray();
      for (int a : best) {
        for (int b : best) {
          if (a != b) {
            pairs[count++] = (long) a << 32 | b;
          }
        }
      }
    }
    Arrays.sort(pairs, 0, count);
    partners = new int[words.size()][];
    List<int[]> found = new ArrayList<>(); // word, times
    for (int i = 0; i < count; ) {
      int end = i + 1;
      while (end < count && pairs[end] == pairs[i]) {
        end++;
      }
      found.add(new int[] {(int) pairs[i], end - i});
      int word = (int) (pairs[i] >>> 32);
      if (end == count || (int) (pairs[end] >>> 32) != word) {
        found.sort((a, b) -> Integer.compare(b[1], a[1]));
        partners[word] = found.stream().mapToInt(p -> p[0]).limit(PARTNERS).toArray();
        found.clear();
      }
      i = end;
    }
  }

  private Map<Integer, Float> vector(int[] text, float averageLength) {
    Map<Integer, Float> vector = own(text, averageLength);
    List<Integer> leading = vector.keySet().stream().limit(LEADING).toList();
    for (int word : leading) {
      float weight = OF_PARTNER * vector.get(word);
      for (int partner : partners[word] == null ? new int[0] : partners[word]) {
        if (vector.size() < MAX_FEATURES || vector.containsKey(partner)) {
          vector.merge(partner, weight, Math::max);
        }
        weight *= 0.85f;
      }
    }
    return vector;
  }

  private void write(IndexWriter writer, int segments) throws IOException {
    float average = averageLength();
    long features = 0;
    for (int i = 0; i < texts.size(); i++) {
      Document document = lines.get(i).document();
      Map<Integer, Float> vector = vector(texts.get(i), average);
      vector.forEach(
          (word, weight) ->
              document.add(new FeatureField(FeatureShapes.FIELD, words.get(word), weight)));
      features += vector.size();
      writer.addDocument(document);
      if ((i + 1) * (long) segments / texts.size() > i * (long) segments / texts.size()) {
        writer.flush();
      }
    }
    System.out.println(
        texts.size() + " documents, " + features / texts.size() + " features each on average");
  }

  /** Makes an index: CORPUS INDEX DOCUMENTS SEGMENTS. */
  public static void main(String[] args) throws IOException, InterruptedException {
    BenchCorpus corpus = BenchCorpus.read(Path.of(args[0]), Integer.parseInt(args[2]));
    SparseVectors vectors = new SparseVectors(corpus.lines());
    vectors.read();
    vectors.pair();
    Path folder = Files.createDirectories(Path.of(args[1]));
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(new OffloadCodec())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setRAMBufferSizeMB(1900);
    try (OffloadDirectory directory = OffloadDirectory.open(folder, BenchmarkFiles.device());
        IndexWriter writer = new IndexWriter(directory, config)) {
      vectors.write(writer, Integer.parseInt(args[3]));
    }
  }
}
