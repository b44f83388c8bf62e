/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import java.util.regex.Pattern;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;

/**
 * Name of an index on a storage node: {@code csd:HOST:PORT/NAME}, with the options of the device
 * behind it.
 *
 * @param device name of the device, options included
 * @param index name of the index; empty if none is named
 */
public record NodeName(Devices.Name device, String index) {
  private static final Pattern INDEX = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** What {@link #parse} understands, for messages. */
  private static final String GRAMMAR =
      "csd:HOST:PORT/NAME[,key=value...]; NAME has 1 to 64 letters, digits, dots, hyphens and"
          + " underscores, and begins with a letter or digit";

  /**
   * Returns whether a text is the name of a storage node or of an index on one, well-formed or not,
   * and no path of a file system.
   */
  public static boolean isOne(String text) {
    int colon = text.indexOf(':');
    return colon > 0 && Devices.isHolder(text.substring(0, colon));
  }

  /**
   * Reads the name of an index on a node.
   *
   * @throws IllegalArgumentException naming the part that is wrong
   */
  public static NodeName parse(String text) {
    NodeName name = parseNode(text);
    if (name.index.isEmpty()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" names no index on the node; a name is " + GRAMMAR);
    }
    return name;
  }

  /**
   * Reads the name of a node, which may name an index, too.
   *
   * @throws IllegalArgumentException naming the part that is wrong
   */
  public static NodeName parseNode(String text) {
    int comma = text.indexOf(',');
    String place = comma < 0 ? text : text.substring(0, comma);
    int slash = place.indexOf('/');
    String index = slash < 0 ? "" : place.substring(slash + 1);
    if (slash >= 0) {
      checkIndex(index);
      place = place.substring(0, slash);
    }
    Devices.Name device = Devices.Name.parse(comma < 0 ? place : place + text.substring(comma));
    DeviceProvider provider = Devices.provider(device.scheme());
    if (!provider.holdsIndexes()) {
      throw new IllegalArgumentException(
          "device \"" + device + "\" is no storage node; a name is " + GRAMMAR);
    }
    return new NodeName(device, index);
  }

  /**
   * Checks the name of an index.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static String checkIndex(String index) {
    if (!INDEX.matcher(index).matches()) {
      throw new IllegalArgumentException(
          "\"" + index + "\" is no name of an index; a name is " + GRAMMAR);
    }
    return index;
  }

  @Override
  public String toString() {
    String text = device.toString();
    int comma = text.indexOf(',');
    return index.isEmpty() ? text : (comma < 0 ? text : text.substring(0, comma)) + "/" + index;
  }
}
