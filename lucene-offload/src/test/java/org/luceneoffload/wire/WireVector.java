/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A golden vector, parsed; wire/vectors/README.md has the format. */
public final class WireVector {
  /** A section: its name, such as {@code page 40}, and its lines. */
  public record Section(String name, List<String> lines) {
    /** The lines as {@code name = value}. */
    public Map<String, String> pairs() {
      Map<String, String> pairs = new LinkedHashMap<>();
      for (String line : lines) {
        int at = line.indexOf(" = ");
        pairs.put(line.substring(0, at), line.substring(at + 3));
      }
      return pairs;
    }

    /** The lines as hex, zeros behind them up to {@code size} bytes (-1: none). */
    ByteBuffer bytes(int size) {
      byte[] written = HexFormat.of().parseHex(String.join("", lines).replace(" ", ""));
      int length = size < 0 ? written.length : size;
      ByteBuffer buffer = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
      return buffer.put(written).clear();
    }
  }

  private final Path path;
  private final Map<String, String> head = new HashMap<>();
  private final List<Section> sections = new ArrayList<>();

  private WireVector(Path path) throws IOException {
    this.path = path;
    for (String line : Files.readAllLines(path)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("[")) {
        sections.add(new Section(line.substring(1, line.indexOf(']')), new ArrayList<>()));
      } else if (sections.isEmpty()) {
        int at = line.indexOf(" = ");
        head.put(line.substring(0, at), line.substring(at + 3));
      } else {
        sections.get(sections.size() - 1).lines().add(line);
      }
    }
  }

  /** All vectors of a kind, {@code good} or {@code bad}, by name. */
  public static List<WireVector> all(String kind) throws IOException {
    Path folder = Path.of("..", "wire", "vectors", kind);
    List<WireVector> vectors = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        if (file.toString().endsWith(".vec")) {
          vectors.add(new WireVector(file));
        }
      }
    }
    return vectors;
  }

  public String struct() {
    return head.get("struct");
  }

  String status() {
    return head.get("status");
  }

  /** A number of the head, or -1. */
  int size(String name) {
    return Integer.parseInt(head.getOrDefault(name, "-1"));
  }

  /** True if a column page has the forms that a writer takes. */
  public boolean isOfWriter() {
    return "yes".equals(head.get("writer"));
  }

  List<Section> sections() {
    return sections;
  }

  /** The section of a name, or null. */
  public Section section(String name) {
    return sections.stream().filter(s -> s.name().equals(name)).findFirst().orElse(null);
  }

  /** The bytes section. */
  public ByteBuffer bytes() {
    return section("bytes").bytes(size("size"));
  }

  @Override
  public String toString() {
    return path.getFileName().toString();
  }
}
