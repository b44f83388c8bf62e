/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

/** Where the index is. */
enum Kind {
  /** Nowhere: all pages are read, and there is nothing to update. */
  NONE("no index"),
  /** A tree over the rows on the host, whose leaves are partly in its memory. */
  TREE("host tree"),
  /** The same, all of it in memory. */
  IDEAL_TREE("ideal host tree"),
  /** Nothing but the pages that the tree names, found and updated for nothing. */
  ORACLE("oracle"),
  /** The tree in the device, whose core walks it; as much of it is in memory. */
  DEVICE_TREE("tree in the SSD"),
  /** In the device alone: FLIXR-S. */
  S("FLIXR-S"),
  /** In the device, and the least keys on the host: FLIXR-HS. */
  HS("FLIXR-HS"),
  /** S whose index pages are in flash, but for the cache of the engine, which is cold. */
  S_CACHED("FLIXR-S, cache"),
  /** HS likewise. */
  HS_CACHED("FLIXR-HS, cache");

  /** The name in reports. */
  final String title;

  Kind(String title) {
    this.title = title;
  }

  /** Returns whether a tree over the rows is searched. */
  boolean isTree() {
    return this == TREE || this == IDEAL_TREE || this == DEVICE_TREE;
  }

  /** Returns whether the device has an entry a page. */
  boolean isFlixr() {
    return isS() || isHs();
  }

  boolean isS() {
    return this == S || this == S_CACHED;
  }

  boolean isHs() {
    return this == HS || this == HS_CACHED;
  }

  boolean isCached() {
    return this == S_CACHED || this == HS_CACHED;
  }
}
