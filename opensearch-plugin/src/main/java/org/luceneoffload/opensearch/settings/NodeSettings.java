/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.settings;

import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;

/**
 * What is set for a node, in its {@code opensearch.yml}.
 *
 * @param device the device of shards whose index names none
 * @param memory device memory of each shard's simulated device
 * @param sessions plans that such a device runs at once; 0: as the engine has it
 * @param queryPhase whether the node's one {@code QueryPhaseSearcher} is ours
 */
public record NodeSettings(String device, ByteSizeValue memory, int sessions, boolean queryPhase) {
  private static final String SIMULATED = "sim";
  private static final int MAX_SESSIONS = 65535;

  /** The device of shards whose index names none: {@code SCHEME} or {@code SCHEME:REST}. */
  public static final Setting<String> DEVICE =
      new Setting<>(
          "plugins.offload.device",
          SIMULATED,
          value -> value,
          value -> DeviceSetting.check("plugins.offload.device", value),
          Property.NodeScope);

  /** Device memory for pages, of each shard whose device is {@code sim} without options. */
  public static final Setting<ByteSizeValue> MEMORY =
      Setting.byteSizeSetting(
          "plugins.offload.memory",
          new ByteSizeValue(256, ByteSizeUnit.MB),
          new ByteSizeValue(1, ByteSizeUnit.MB),
          new ByteSizeValue(1, ByteSizeUnit.TB),
          Property.NodeScope);

  /** Sessions of each such device; 0 is the engine's default. */
  public static final Setting<Integer> SESSIONS =
      Setting.intSetting("plugins.offload.sessions", 0, 0, MAX_SESSIONS, Property.NodeScope);

  /**
   * Whether the node's {@code QueryPhaseSearcher} is this plugin's. There is one in a node: if this
   * is not set, it is ours unless another plugin brings one.
   */
  public static final Setting<Boolean> QUERY_PHASE =
      Setting.boolSetting("plugins.offload.query_phase.enabled", true, Property.NodeScope);

  /**
   * Reads the settings of a node.
   *
   * @param free whether no other plugin brings a {@code QueryPhaseSearcher}
   */
  public static NodeSettings of(Settings settings, boolean free) {
    return new NodeSettings(
        DEVICE.get(settings),
        MEMORY.get(settings),
        SESSIONS.get(settings),
        QUERY_PHASE.exists(settings) ? QUERY_PHASE.get(settings) : free);
  }

  /** Returns all of them. */
  public static List<Setting<?>> all() {
    return List.of(DEVICE, MEMORY, SESSIONS, QUERY_PHASE);
  }

  /**
   * Returns the name under which a device is opened.
   *
   * @param ofIndex what the index names; empty: nothing
   */
  public String deviceName(String ofIndex) {
    String name = ofIndex.isEmpty() ? device : ofIndex;
    if (!name.equals(SIMULATED)) {
      return name;
    }
    String full = SIMULATED + ":dram=" + memory.getBytes();
    return sessions == 0 ? full : full + ",sessions=" + sessions;
  }
}
