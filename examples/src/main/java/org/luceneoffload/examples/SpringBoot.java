/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.examples;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Has Spring Boot open an index, and close it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class SpringBoot {
  // page: begin
  @Bean
  Directory directory(@Value("${index.folder}") Path folder) throws IOException {
    return OffloadDirectory.open(folder, "sim");
  }

  @Bean
  IndexWriter writer(Directory directory) throws IOException {
    return new IndexWriter(directory, new IndexWriterConfig().setCodec(new OffloadCodec()));
  }

  @Bean
  SearcherManager searchers(IndexWriter writer) throws IOException {
    // page: end
    SearcherFactory factory =
        new SearcherFactory() {
          @Override
          public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
            return new OffloadIndexSearcher(reader);
          }
        };
    // page: begin
    return new SearcherManager(writer, factory);
  }

  // page: end

  /** Indexes and searches in the folder {@code args[0]}. */
  public static void main(String[] args) throws IOException {
    SpringApplication application = new SpringApplication(SpringBoot.class);
    try (ConfigurableApplicationContext beans =
        application.run(
            "--index.folder=" + args[0],
            "--logging.level.root=off",
            "--spring.main.banner-mode=off")) {
      Document doc = new Document();
      doc.add(new StringField("state", "open", Store.NO));
      beans.getBean(IndexWriter.class).addDocument(doc);
      SearcherManager searchers = beans.getBean(SearcherManager.class);
      searchers.maybeRefreshBlocking();
      IndexSearcher searcher = searchers.acquire();
      try {
        System.out.println("open: " + searcher.count(new TermQuery(new Term("state", "open"))));
      } finally {
        searchers.release(searcher);
      }
    }
  }
}
