/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermLists;

class TestRecentLists {
  private static OffloadTermState state(int docFreq, int firstPage, int slot, int pageCount) {
    OffloadTermState state = new OffloadTermState();
    state.docFreq = docFreq;
    state.firstPage = firstPage;
    state.inlineDoc = 77;
    state.slot = slot;
    state.pageCount = pageCount;
    return state;
  }

  private static TermLists lists(int size) {
    TermLists.Builder lists = new TermLists.Builder();
    for (int i = 0; i < size; i++) {
      assertTrue(lists.add(state(2 + i, 1 + i, i & 0xFF, 1)));
    }
    return lists.build();
  }

  @Test
  void listsAreWhereTheirStatesSay() {
    TermLists.Builder builder = new TermLists.Builder();
    assertTrue(builder.add(state(5, 9, 1, 1)));
    builder.clear();
    assertTrue(builder.add(state(300, 40, 255, 3)));
    assertTrue(builder.add(state(1, 0, 0, 0)));
    assertTrue(builder.add(state(2, 8, 0, 1)));
    TermLists lists = builder.build();
    assertEquals(3, lists.size());
    assertEquals(303, lists.postings());
    assertEquals(4, lists.pages());
    assertEquals(8, lists.firstPage());
    assertEquals(43, lists.endPage());
    assertEquals(40, lists.firstPage(0));
    assertEquals(255, lists.slot(0));
    assertEquals(3, lists.pageCount(0));
    assertFalse(lists.isInline(0));
    assertTrue(lists.isInline(1));
    assertEquals(77, lists.inlineDoc(1));
    assertEquals(0, lists.pageCount(1));
    assertEquals(2, lists.postings(2));
  }

  @Test
  void listsWithoutPagesHaveNone() {
    TermLists.Builder builder = new TermLists.Builder();
    assertTrue(builder.add(state(1, 0, 0, 0)));
    TermLists lists = builder.build();
    assertEquals(0, lists.firstPage());
    assertEquals(0, lists.endPage());
    assertEquals(0, lists.pages());
  }

  @Test
  void listTooLongToBeNotedIsRefused() {
    assertFalse(new TermLists.Builder().add(state(2_000_000_000, 1, 0, 1 << 24)));
  }

  @Test
  void latestAreKept() {
    RecentLists recent = new RecentLists();
    TermLists some = lists(20);
    assertNull(recent.get("a"));
    recent.put("a", 10, some, 1000);
    recent.put("b", 10, null, 1000);
    assertSame(some, recent.get("a").orElseThrow());
    assertEquals(Optional.empty(), recent.get("b"));
    for (int i = 0; i < 1000; i++) {
      recent.put(i, 10, some, 1000);
      recent.get("a");
      assertTrue(recent.bytes() <= 12_192, () -> "bytes " + recent.bytes());
    }
    assertSame(some, recent.get("a").orElseThrow());
    assertNull(recent.get("b"));
    assertNull(recent.get(1));
  }

  @Test
  void sameQueryCountsOnce() {
    RecentLists recent = new RecentLists();
    recent.put("a", 10, lists(20), 1000);
    long bytes = recent.bytes();
    recent.put("a", 10, lists(20), 1000);
    assertEquals(bytes, recent.bytes());
  }

  @Test
  void whatIsLargeIsNotKept() {
    RecentLists recent = new RecentLists();
    recent.put("a", 10, lists(1000), -1);
    assertNull(recent.get("a"));
    assertEquals(0, recent.bytes());
    recent.put("a", 10, lists(1000), 1_000_000);
    assertEquals(1000, recent.get("a").orElseThrow().size());
  }
}
