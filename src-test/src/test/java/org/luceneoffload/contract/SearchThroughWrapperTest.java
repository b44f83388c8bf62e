/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.device.Device;
import org.luceneoffload.search.SearchContractTest;
import org.luceneoffload.sim.SimDeviceProvider;

/**
 * Stock Lucene's answers through a device that runs plans in another way than the one it wraps, and
 * counts how it did: a simulator, if a test does not say otherwise.
 */
public abstract class SearchThroughWrapperTest extends SearchContractTest {
  private static final List<Device> WRAPPERS = new ArrayList<>(); // of the class that runs

  /** The device that plans go through. */
  protected abstract Device wrap(Device device);

  /** The device behind it. */
  protected Device open(Path storeHome) throws IOException {
    return new SimDeviceProvider().openForWriting("capacity=1g,dram=64m,sessions=64", storeHome);
  }

  @Override
  protected final Device newDevice(Path storeHome) throws IOException {
    Device wrapper = wrap(open(storeHome));
    WRAPPERS.add(wrapper);
    return wrapper;
  }

  /** Each plan takes longer this way; a long run has lists of many pages. */
  @Override
  protected int manyDocuments() {
    return Boolean.getBoolean("tests.long") ? 30_000 : 3_000;
  }

  /** The devices of all tests of a class, once they have run. */
  public static <D extends Device> List<D> takeWrappers(Class<D> type) {
    List<D> all = WRAPPERS.stream().map(type::cast).toList();
    WRAPPERS.clear();
    return all;
  }
}
