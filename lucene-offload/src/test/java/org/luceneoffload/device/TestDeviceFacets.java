/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.util.IOSupplier;
import org.junit.jupiter.api.Test;
import org.luceneoffload.device.timing.TimingModel;
import org.luceneoffload.util.FacetCall;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

/** Facets are found behind devices that wrap others, and called as those call their device. */
class TestDeviceFacets {
  /** A facet that no class of the library knows. */
  public interface Lamp {
    /** Switches it. */
    @FacetCall(value = "switching", undo = "forget")
    int switchTo(int state) throws IOException;

    /** Forgets a state. */
    void forget(int state) throws IOException;

    /** Says what it was told. */
    List<Integer> told();
  }

  private static final class LampDevice extends FilterDevice implements Lamp {
    private final List<Integer> told = new ArrayList<>();

    LampDevice() {
      super(new RamBlockDevice(16));
    }

    @Override
    public int switchTo(int state) throws IOException {
      told.add(state);
      if (state < 0) {
        throw new IllegalStateException("a fault of the back end");
      }
      if (state == 0) {
        throw new IOException("dark");
      }
      return state + 1;
    }

    @Override
    public void forget(int state) {
      told.add(-state);
    }

    @Override
    public List<Integer> told() {
      return told;
    }
  }

  /** Names its calls; with {@code late} no caller waits for them. */
  private static final class NamingDevice extends FilterDevice {
    private final List<String> calls = new ArrayList<>();
    private boolean late;

    NamingDevice(Device in) {
      super(in);
    }

    @Override
    protected <T> T call(String what, IOSupplier<T> call, Consumer<T> ended) throws IOException {
      calls.add(what);
      T result = call.get();
      if (late) {
        ended.accept(result);
        throw new IOException("late");
      }
      return result;
    }
  }

  private final LampDevice lamp = new LampDevice();
  private final NamingDevice naming = new NamingDevice(lamp);

  @Test
  void aDeviceHasTheFacetsThatItImplements() throws IOException {
    assertSame(lamp, lamp.as(Lamp.class));
    assertNull(lamp.as(TimingModel.class));
    assertNull(CheckedDevice.of(naming).as(TimingModel.class));
    OffloadException none =
        assertThrows(OffloadException.class, () -> TimingModel.of(new RamBlockDevice(16)));
    assertEquals(Status.INVALID_OPCODE, none.status());
    assertTrue(none.getMessage().contains(new RamBlockDevice(16).name()), none.getMessage());
    assertSame(SharedStorage.NONE, SharedStorage.of(new PlainDevice()));
    assertNotNull(CheckedDevice.of(lamp).as(SharedStorage.class), "that of the device behind");
  }

  @Test
  void callsThatMayWaitAreMadeAsThoseOfTheDevice() throws IOException {
    Lamp facet = naming.as(Lamp.class);
    assertEquals(8, facet.switchTo(7));
    facet.forget(3);
    assertSame(lamp.told, facet.told());
    assertEquals(List.of("switching", "forget"), naming.calls);
    assertEquals(List.of(7, -3), lamp.told);
    assertEquals("dark", assertThrows(IOException.class, () -> facet.switchTo(0)).getMessage());
    assertThrows(IllegalStateException.class, () -> facet.switchTo(-1));
  }

  @Test
  void whatNoCallerWaitsForIsGivenBack() {
    naming.late = true;
    Lamp facet = naming.as(Lamp.class);
    assertThrows(IOException.class, () -> facet.switchTo(5));
    assertEquals(List.of(5, -5), lamp.told);
    assertThrows(IOException.class, () -> facet.forget(2));
    assertEquals(List.of(5, -5, -2), lamp.told);
  }

  @Test
  void aCheckedDeviceChecksFacetsToo() throws IOException {
    Lamp facet = CheckedDevice.of(naming).as(Lamp.class);
    assertEquals(3, facet.switchTo(2));
    assertEquals(List.of("switching"), naming.calls);
    OffloadException fault = assertThrows(OffloadException.class, () -> facet.switchTo(-1));
    assertTrue(fault.getMessage().contains("a fault of the back end"), fault.getMessage());
    assertThrows(OffloadException.class, () -> facet.switchTo(0));
  }

  /** A device in front of another that shows no facet of it. */
  private static final class PlainDevice extends FilterDevice {
    PlainDevice() {
      super(new RamBlockDevice(16));
    }

    @Override
    public <T> T as(Class<T> facet) {
      return null;
    }
  }
}
