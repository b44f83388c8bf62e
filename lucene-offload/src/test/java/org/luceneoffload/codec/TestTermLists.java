/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermLists;

class TestTermLists {
  private static TermLists lists(int... postings) {
    TermLists.Builder lists = new TermLists.Builder();
    for (int i = 0; i < postings.length; i++) {
      OffloadTermState state = new OffloadTermState();
      state.docFreq = postings[i];
      state.firstPage = i;
      state.inlineDoc = i;
      state.pageCount = 1;
      assertTrue(lists.add(state));
    }
    return lists.build();
  }

  private static int[] postings(TermLists lists) {
    int[] postings = new int[lists.size()];
    for (int i = 0; i < postings.length; i++) {
      postings[i] = lists.postings(i);
      assertTrue(i == 0 || lists.firstPage(i) > lists.firstPage(i - 1), "order");
    }
    return postings;
  }

  private static String split(int most, int... postings) {
    TermLists.Split split = lists(postings).split(most);
    return Arrays.toString(postings(split.longest())) + Arrays.toString(postings(split.others()));
  }

  @Test
  void longestAreToldFromTheOthers() {
    assertEquals("[9, 7][5, 1]", split(2, 9, 5, 7, 1));
    assertEquals("[9, 5, 7][1]", split(3, 9, 5, 7, 1));
    assertEquals("[9, 5, 7][1]", split(9, 9, 5, 7, 1));
    assertEquals("[][1, 1]", split(9, 1, 1));
    assertEquals("[][]", split(9));
  }

  @Test
  void ofEquallyLongOnesTheFirstAreTaken() {
    assertEquals("[5, 9, 5][1, 5, 2]", split(3, 1, 5, 9, 5, 5, 2));
    assertEquals("[70000, 80000][90000, 3]", split(2, 70_000, 80_000, 90_000, 3));
    assertEquals("[2, 2][1, 2, 2]", split(2, 1, 2, 2, 2, 2));
  }

  @Test
  void noListIsLost() {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      int most = 1 + random.nextInt(40);
      int[] all = random.ints(random.nextInt(90), 1, random.nextBoolean() ? 6 : 9000).toArray();
      TermLists.Split split = lists(all).split(most);
      long paged = Arrays.stream(all).filter(length -> length > 1).count();
      assertEquals(Math.min(most, paged), split.longest().size());
      assertEquals(all.length, split.longest().size() + split.others().size());
      assertEquals(
          Arrays.stream(all).asLongStream().sum(),
          split.longest().postings() + split.others().postings());
      int least = Arrays.stream(postings(split.longest())).min().orElse(Integer.MAX_VALUE);
      int greatest = Arrays.stream(postings(split.others())).max().orElse(0);
      assertTrue(Math.min(greatest, 4096) <= least, () -> Arrays.toString(all));
    }
  }
}
