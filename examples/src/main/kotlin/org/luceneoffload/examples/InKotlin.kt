/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.examples

import java.nio.file.Path
import org.apache.lucene.document.Document
import org.apache.lucene.document.Field.Store
import org.apache.lucene.document.LongField
import org.apache.lucene.index.DirectoryReader
import org.apache.lucene.index.IndexWriter
import org.apache.lucene.index.IndexWriterConfig
import org.apache.lucene.search.MatchAllDocsQuery
import org.luceneoffload.OffloadCodec
import org.luceneoffload.OffloadDirectory
import org.luceneoffload.OffloadIndexSearcher
import org.luceneoffload.aggregate.Aggregation

/** Indexes and searches in the folder `args[0]`. */
fun main(args: Array<String>) {
  OffloadDirectory.open(Path.of(args[0]), "sim").use { directory ->
    IndexWriter(directory, IndexWriterConfig().setCodec(OffloadCodec())).use { writer ->
      for (price in 1L..3L) {
        writer.addDocument(Document().apply { add(LongField("price", price, Store.NO)) })
      }
    }
    // page: begin
    DirectoryReader.open(directory).use { reader ->
      val searcher = OffloadIndexSearcher(reader)
      val price = Aggregation.stats("price")
      val found = searcher.aggregate(MatchAllDocsQuery(), price)[price]
      println("${found.values} prices, sum ${found.sum}")
    }
    // page: end
  }
}
