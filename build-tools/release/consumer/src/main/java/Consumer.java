/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats.Counter;

/** The README's three lines, and whether the device gives stock Lucene's answers. */
public final class Consumer {
  private static final Random RANDOM = new Random(39);

  private Consumer() {}

  private static String word() {
    return "w" + (int) (50 * Math.pow(RANDOM.nextDouble(), 3));
  }

  private static Document document() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      text.append(word()).append(' ');
    }
    Document document = new Document();
    document.add(new TextField("body", text.toString(), Field.Store.NO));
    document.add(new NumericDocValuesField("number", RANDOM.nextInt(1000)));
    return document;
  }

  private static Query query(int number) {
    if (number % 4 == 0) {
      return new PhraseQuery("body", word(), word());
    }
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (Occur occur : List.of(number % 2 == 0 ? Occur.MUST : Occur.SHOULD, Occur.SHOULD)) {
      builder.add(new TermQuery(new Term("body", word())), occur);
    }
    return builder.build();
  }

  private static String answer(IndexSearcher searcher, Query query) throws Exception {
    StringBuilder answer = new StringBuilder().append(searcher.count(query));
    for (ScoreDoc hit : searcher.search(query, 10).scoreDocs) {
      answer.append(' ').append(hit.doc).append(':').append(Float.floatToIntBits(hit.score));
    }
    Sort sort = new Sort(new SortField("number", SortField.Type.LONG));
    for (ScoreDoc hit : searcher.search(query, 10, sort).scoreDocs) {
      answer.append(' ').append(hit.doc);
    }
    return answer.toString();
  }

  public static void main(String[] args) throws Exception {
    Path path = Files.createTempDirectory("consumer");
    OffloadDirectory directory = OffloadDirectory.open(path, args.length == 0 ? "sim" : args[0]);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 2_000; i++) {
        writer.addDocument(document());
      }
    }
    DirectoryReader reader = DirectoryReader.open(directory);
    IndexSearcher searcher = new OffloadIndexSearcher(reader);
    IndexSearcher stock = new IndexSearcher(reader);
    for (int i = 0; i < 200; i++) {
      Query query = query(i);
      if (!answer(stock, query).equals(answer(searcher, query))) {
        throw new AssertionError("the answers to " + query + " differ");
      }
    }
    long device = directory.stats().get(Counter.LEAVES_OFFLOADED);
    if (device < 400) {
      throw new AssertionError("the device answered " + device + " times: " + directory.stats());
    }
    System.out.println(
        "200 queries, identical, Lucene "
            + org.apache.lucene.util.Version.LATEST
            + ", Java "
            + Runtime.version().feature()
            + "; the device answered "
            + device
            + " times");
  }
}
