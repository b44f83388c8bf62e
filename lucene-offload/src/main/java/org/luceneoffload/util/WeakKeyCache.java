/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.util.IOFunction;

/**
 * Values that live as long as their keys do, each made once. Keys are told apart by identity. A
 * value must not refer to its key, or neither would ever go. Values of keys that are gone go when
 * the cache is next asked, or with the cache.
 *
 * <p>No lock is held while a value is made: only who asks for the same key waits for it.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class WeakKeyCache<K, V> {
  /** A key in the map; equals itself only when its referent is gone, so that it can be removed. */
  private static final class Key<K> extends WeakReference<K> {
    private final int hash;

    Key(K key, ReferenceQueue<K> gone) {
      super(key, gone);
      hash = System.identityHashCode(key);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      K key = get();
      return this == other || (key != null && other instanceof Key<?> weak && weak.get() == key);
    }
  }

  /** A key to look for, without a weak reference for the collector to look at. */
  private record Probe(Object key) {
    @Override
    public int hashCode() {
      return System.identityHashCode(key);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key<?> weak && weak.get() == key;
    }
  }

  private final Map<Object, CompletableFuture<V>> values = new ConcurrentHashMap<>();
  private final ReferenceQueue<K> gone = new ReferenceQueue<>();

  /**
   * Returns the value of a key, made if need be.
   *
   * @throws IOException what {@code maker} throws; it is not remembered
   */
  public V get(K key, IOFunction<K, V> maker) throws IOException {
    CompletableFuture<V> known = values.get(new Probe(key));
    if (known == null) {
      forgetGone();
      CompletableFuture<V> own = new CompletableFuture<>();
      Key<K> weak = new Key<>(key, gone);
      known = values.putIfAbsent(weak, own);
      if (known == null) {
        return make(key, weak, own, maker);
      }
    }
    try {
      return known.join();
    } catch (CompletionException e) {
      return maker.apply(key); // the other thread's exception is the other thread's
    }
  }

  private V make(K key, Key<K> weak, CompletableFuture<V> own, IOFunction<K, V> maker)
      throws IOException {
    try {
      V value = maker.apply(key);
      own.complete(value);
      return value;
    } catch (Throwable t) {
      values.remove(weak, own);
      own.completeExceptionally(t);
      throw t;
    }
  }

  private void forgetGone() {
    for (Reference<? extends K> key = gone.poll(); key != null; key = gone.poll()) {
      values.remove(key);
    }
  }

  /** Returns the number of keys that are known, gone ones included that were not forgotten yet. */
  int size() {
    return values.size();
  }
}
