/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.luceneoffload.Collected;

class TestWeakKeyCache {
  private final WeakKeyCache<String, Object> cache = new WeakKeyCache<>();

  private static String key(String text) {
    return new String(text);
  }

  @Test
  void aValueLivesAsLongAsItsKey() throws Exception {
    String kept = key("kept");
    Object value = new Object();
    assertSame(value, cache.get(kept, unused -> value));
    cache.get(key("dropped"), unused -> new Object());
    assertEquals(2, cache.size());
    String[] other = {key("other")};
    Collected.await(
        "the dropped key",
        () -> {
          try {
            cache.get(other[0], unused -> new Object());
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          boolean gone = cache.size() == 2;
          other[0] = key("other"); // the one before is gone then, too
          return gone;
        });
    assertSame(value, cache.get(kept, unused -> new Object()));
  }

  @Test
  void keysAreToldApartByIdentity() throws IOException {
    String one = key("same");
    String other = key("same");
    assertEquals(one, other);
    assertNotSame(cache.get(one, unused -> new Object()), cache.get(other, unused -> new Object()));
  }

  @Test
  void aValueIsMadeOnceWhoeverAsks() throws Exception {
    String key = key("key");
    AtomicInteger made = new AtomicInteger();
    int threads = 8;
    CountDownLatch all = new CountDownLatch(threads);
    List<Future<Object>> futures = new ArrayList<>();
    try (ExecutorService asking = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        futures.add(
            asking.submit(
                () -> {
                  all.countDown();
                  all.await();
                  return cache.get(key, unused -> made.incrementAndGet());
                }));
      }
      for (Future<Object> future : futures) {
        assertEquals(1, future.get());
      }
    }
  }

  @Test
  void nobodyWaitsForAnotherKey() throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (ExecutorService slow = Executors.newSingleThreadExecutor()) {
      Future<Object> value =
          slow.submit(
              () ->
                  cache.get(
                      key("slow"),
                      unused -> {
                        making.countDown();
                        try {
                          goOn.await();
                        } catch (InterruptedException e) {
                          throw new IOException(e);
                        }
                        return "slow";
                      }));
      making.await();
      assertEquals("quick", cache.get(key("quick"), unused -> "quick"));
      assertFalse(value.isDone());
      goOn.countDown();
      assertEquals("slow", value.get());
    }
  }

  @Test
  void whatIsThrownIsNotRemembered() throws IOException {
    String key = key("key");
    assertThrows(
        IOException.class,
        () ->
            cache.get(
                key,
                unused -> {
                  throw new IOException("expected");
                }));
    assertEquals("made", cache.get(key, unused -> "made"));
  }
}
