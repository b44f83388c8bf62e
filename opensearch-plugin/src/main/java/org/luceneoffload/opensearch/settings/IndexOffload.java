/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.settings;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexModule;

/** What is set for an index, as it is now: some of it changes while the index is open. */
public final class IndexOffload {
  private static final String PREFIX = "index.offload.";

  /** The device of the index's shards; empty: the node's. */
  public static final Setting<String> DEVICE =
      new Setting<>(
          PREFIX + "device",
          "",
          Function.identity(),
          value -> {
            if (!value.isEmpty()) {
              DeviceSetting.check(PREFIX + "device", value);
            }
          },
          Property.IndexScope);

  /** The store type that {@code index.store.type: offload} wraps. */
  public static final Setting<String> WRAPPED_STORE =
      new Setting<>(
          PREFIX + "store_type",
          IndexModule.Type.FS.getSettingsKey(),
          Function.identity(),
          IndexOffload::checkStoreType,
          Property.IndexScope);

  /**
   * Whether segments get images although {@code index.codec} names another codec, which then writes
   * everything else.
   */
  public static final Setting<Boolean> WRAP_CODEC =
      Setting.boolSetting(PREFIX + "wrap_codec", false, Property.IndexScope);

  /** Which fields get columns, as patterns of names. */
  public static final Setting<List<String>> COLUMNS = patterns("columns");

  /** Which fields get positions, as patterns of names. */
  public static final Setting<List<String>> POSITIONS = patterns("positions");

  /** Who answers what the device can answer. */
  public static final Setting<Placement> PLACEMENT =
      new Setting<>(
          PREFIX + "placement",
          "auto",
          IndexOffload::parsePlacement,
          Property.IndexScope,
          Property.Dynamic);

  /** Which segments have images. */
  public static final Setting<Images> IMAGES =
      new Setting<>(
          PREFIX + "images",
          Images.WRITTEN.settingName(),
          value -> Images.parse(PREFIX + "images", value),
          Property.IndexScope,
          Property.Dynamic);

  /** Whether trouble with the device is an error. */
  public static final Setting<Boolean> STRICT =
      Setting.boolSetting(PREFIX + "strict", false, Property.IndexScope);

  private final String device;
  private final boolean strict;
  private volatile List<String> columns;
  private volatile List<String> positions;
  private volatile Placement placement;
  private volatile Images images;

  private IndexOffload(Settings settings) {
    device = DEVICE.get(settings);
    strict = STRICT.get(settings);
    columns = COLUMNS.get(settings);
    positions = POSITIONS.get(settings);
    placement = PLACEMENT.get(settings);
    images = IMAGES.get(settings);
  }

  /** Returns all settings. */
  public static List<Setting<?>> all() {
    return List.of(
        DEVICE, WRAPPED_STORE, WRAP_CODEC, COLUMNS, POSITIONS, PLACEMENT, IMAGES, STRICT);
  }

  /** Reads the settings of an index; later changes are not seen. */
  public static IndexOffload of(Settings settings) {
    return new IndexOffload(settings);
  }

  /** Reads the settings of an index that is opened, and follows those that change. */
  public static IndexOffload of(IndexModule module) {
    IndexOffload offload = new IndexOffload(module.getSettings());
    module.addSettingsUpdateConsumer(COLUMNS, value -> offload.columns = value);
    module.addSettingsUpdateConsumer(POSITIONS, value -> offload.positions = value);
    module.addSettingsUpdateConsumer(PLACEMENT, value -> offload.placement = value);
    module.addSettingsUpdateConsumer(IMAGES, value -> offload.images = value);
    return offload;
  }

  /** Returns the device that the index names; empty if it names none. */
  public String device() {
    return device;
  }

  /** Returns who answers, now. */
  public Placement placement() {
    return images == Images.NONE ? Placement.NEVER : placement;
  }

  /** Returns which segments have images, now. */
  public Images images() {
    return images;
  }

  /**
   * Returns the options of a shard's directory. What they say about fields follows the settings.
   */
  public OffloadOptions options() {
    return OffloadOptions.DEFAULT
        .withStrict(strict)
        .withPlacement(placement)
        .withColumns((Predicate<String>) field -> images != Images.NONE && matches(columns, field))
        .withPositions((Predicate<String>) field -> matches(positions, field));
  }

  private static boolean matches(List<String> patterns, String field) {
    for (String pattern : patterns) {
      if (Regex.simpleMatch(pattern, field)) {
        return true;
      }
    }
    return false;
  }

  private static Setting<List<String>> patterns(String name) {
    return Setting.listSetting(
        PREFIX + name, List.of("*"), Function.identity(), Property.IndexScope, Property.Dynamic);
  }

  private static Placement parsePlacement(String value) {
    for (Placement placement : Placement.values()) {
      if (placement.name().toLowerCase(Locale.ROOT).equals(value)) {
        return placement;
      }
    }
    throw new IllegalArgumentException(
        "["
            + PREFIX
            + "placement] must be auto, always, dynamic, filter or never, got \""
            + value
            + "\"");
  }

  private static void checkStoreType(String value) {
    for (IndexModule.Type type : IndexModule.Type.values()) {
      if (type.match(value) && type != IndexModule.Type.REMOTE_SNAPSHOT) {
        return;
      }
    }
    throw new IllegalArgumentException(
        "["
            + PREFIX
            + "store_type] must be a store type of OpenSearch's own, such as hybridfs,"
            + " mmapfs or niofs, got \""
            + value
            + "\"");
  }
}
