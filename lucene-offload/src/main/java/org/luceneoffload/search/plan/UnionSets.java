/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.Query;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.term.TermLists;
import org.luceneoffload.search.compile.TermUnion;
import org.luceneoffload.search.plan.node.DocSetLeaf;
import org.luceneoffload.search.plan.node.LeafNode;
import org.luceneoffload.search.plan.node.SetDocs;
import org.luceneoffload.search.plan.node.UnionLeaf;
import org.luceneoffload.search.set.DocSetKey;
import org.luceneoffload.search.set.DocSets;
import org.luceneoffload.wire.OffloadWire;

/** The set of docs that the device may keep of a union in a segment. */
final class UnionSets {
  /** Lists from which on a union is kept if it is used several times; fewer are merged quickly. */
  private static final int MIN_LISTS = 16;

  /** Uses of late from which on it is kept, as Lucene's own policy has it for costly queries. */
  private static final int COSTLY_USES = 2;

  /** The same for unions of fewer lists than {@link #COSTLY_LISTS}. */
  private static final int USES = 5;

  private static final int COSTLY_LISTS = 64;

  private final DocSets sets;
  private final DocSetKey key;
  private final TermUnion union;
  private final OffloadTerms terms;
  private final IndexReader.CacheHelper core;
  private final int maxDoc;

  private UnionSets(
      DocSets sets,
      DocSetKey key,
      TermUnion union,
      OffloadTerms terms,
      IndexReader.CacheHelper core,
      int maxDoc) {
    this.sets = sets;
    this.key = key;
    this.union = union;
    this.terms = terms;
    this.core = core;
    this.maxDoc = maxDoc;
  }

  /** Returns the set of a union; null if the device keeps none of it. */
  static UnionSets of(TermUnion union, OffloadTerms terms, LeafReader reader) throws IOException {
    Query query = union.lastingQuery();
    DocSets sets = query == null ? null : DocSets.of(terms.image().handle());
    IndexReader.CacheHelper core = sets == null ? null : reader.getCoreCacheHelper();
    return core == null || !sets.hasRoomFor(reader.maxDoc())
        ? null
        : new UnionSets(
            sets, new DocSetKey(core.getKey(), query), union, terms, core, reader.maxDoc());
  }

  /** Returns the node of the set if it is on the device; else null. */
  LeafNode known() {
    int docs = sets.docCount(key);
    return docs < 0 ? null : leaf(key, null, true, docs);
  }

  /** Counts a use; returns whether the docs of these lists are worth their memory. */
  boolean pays(TermLists lists) {
    return lists.size() >= MIN_LISTS
        && sets.countUse(key) >= (lists.size() < COSTLY_LISTS ? USES : COSTLY_USES);
  }

  /** Returns the node of the set, which is made when a plan runs. */
  LeafNode node(TermLists lists) {
    return node(lists, lists.split(UnionLeaf.MAX_LISTS));
  }

  private LeafNode node(TermLists lists, TermLists.Split split) {
    return leaf(key, split, true, lists.postings());
  }

  /**
   * Returns the node of more lists than a plan has room for, as long as the union is not used
   * again: the longest lists in the plan, and a set of the others, which have few docs.
   */
  LeafNode once(TermLists lists) {
    TermLists.Split split = lists.split(UnionLeaf.MAX_LISTS);
    if (split.longest().size() == 0) {
      return node(lists, split);
    }
    DocSetKey part = new DocSetKey(key.core(), key.query(), true);
    LeafNode[] children = {
      leaf(part, split, false, split.others().postings()),
      new UnionLeaf(union, split.longest(), terms.image())
    };
    for (LeafNode child : children) {
      child.setOccur(OffloadWire.Occur.SHOULD);
    }
    return new LeafNode.Bool(children, 1, Math.min(lists.postings(), maxDoc), 0f);
  }

  private DocSetLeaf leaf(DocSetKey of, TermLists.Split lists, boolean whole, long docs) {
    SetDocs found = new SetDocs(union, terms, lists, whole, core);
    return new DocSetLeaf(of, found, terms.image(), docs, maxDoc);
  }
}
