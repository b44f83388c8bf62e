/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite;

import java.io.IOException;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.junit.Assert;
import org.junit.rules.ExternalResource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.device.Device;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.image.ImageDirectory;

/**
 * A simulated device for the life of a test class: a class rule. As long as it is there, every
 * {@link SuiteDirectory} has its posting images on it. At the end it must have been used as the
 * class said, and nobody may hold on to it.
 */
public final class SuiteDevice extends ExternalResource {
  private static final String OPTIONS = "capacity=8g,dram=32m,sessions=16";

  private static volatile SuiteDevice current;

  private final boolean imagesExpected;
  private final boolean searchesExpected;
  private Codec savedCodec; // null if the class chooses its codec itself
  private Device device;
  private OffloadDirectory keeper; // for the counters to go on from directory to directory
  private volatile boolean onlyCachedDirectories = true; // as far as directories have closed

  private SuiteDevice(boolean imagesExpected, boolean searchesExpected) {
    this.imagesExpected = imagesExpected;
    this.searchesExpected = searchesExpected;
  }

  /** For classes that write and open posting images: it is an error if they do not. */
  public static SuiteDevice withImages() {
    return new SuiteDevice(true, false);
  }

  /** For classes that search: our codec is the default one, and the device must answer some. */
  public static SuiteDevice withSearches() {
    return new SuiteDevice(true, true);
  }

  /** For classes that write no postings, or too few to be sure of an image. */
  public static SuiteDevice unasked() {
    return new SuiteDevice(false, false);
  }

  /** Puts the device of the class at hand under a directory; the directory itself if none. */
  public static Directory under(Directory plain) throws IOException {
    SuiteDevice now = current;
    return now == null ? plain : OffloadDirectory.wrap(plain, now.device);
  }

  /** A directory over the device of the class at hand closes, that kept new files back or not. */
  public static void closes(boolean cached) {
    SuiteDevice now = current;
    if (now != null && !cached) {
      now.onlyCachedDirectories = false;
    }
  }

  /** Counters of the device so far. */
  public OffloadStats stats() {
    return keeper.stats();
  }

  @Override
  protected void before() throws IOException {
    Sampling.begin();
    device =
        new SimDeviceProvider().openForWriting(OPTIONS, LuceneTestCase.createTempDir("device"));
    keeper = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
    current = this;
    if (searchesExpected) {
      savedCodec = Codec.getDefault();
      Codec.setDefault(new OffloadCodec());
    }
  }

  @Override
  protected void after() {
    current = null;
    if (savedCodec != null) {
      Codec.setDefault(savedCodec);
    }
    try {
      OffloadStats stats = keeper.stats();
      DeviceHandle handle = ImageDirectory.find(keeper).handle();
      keeper.close();
      Assert.assertFalse("a directory or a reader still holds the device", handle.tryRetain());
      if (searchesExpected) {
        Assert.assertEquals(stats.toString(), 0, stats.get(Counter.LEAVES_FALLEN_BACK));
        if (wholeClass() && stats.get(Counter.LEAVES_OFFLOADED) == 0) {
          // Near-real-time segments are then read from the cache, where no image is.
          Assert.assertTrue("the device was not asked: " + stats, onlyCachedDirectories);
          Assert.assertTrue(stats.toString(), stats.get(Counter.IMAGES_MISSING) > 0);
          System.out.println("the device was not asked, as a cache was in front: " + stats);
        }
      }
      if (imagesExpected && wholeClass()) {
        Assert.assertTrue(
            "no images were written: " + stats, stats.get(Counter.IMAGES_WRITTEN) > 0);
        Assert.assertTrue("no images were opened: " + stats, stats.get(Counter.IMAGES_OPENED) > 0);
      }
      device.close();
    } catch (IOException e) {
      throw new AssertionError("the device does not close", e);
    }
  }

  /**
   * Returns whether the tests of the class were run as a whole: a single one may have no use for
   * images.
   */
  private static boolean wholeClass() {
    return Sampling.tookMost()
        && System.getProperty("tests.method") == null
        && !System.getProperty("test", "").contains("#");
  }
}
