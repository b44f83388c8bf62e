/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes profiles as {@link ProfileReader} reads them: groups in groups, a number a line. */
final class ProfileWriter {
  private final StringBuilder out = new StringBuilder();

  private ProfileWriter() {}

  /** Returns the text of a profile; optional numbers that are not used are left out. */
  static String json(DeviceProfile profile) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", profile.name());
    tree.put("title", profile.title());
    tree.put("about", profile.about());
    for (ProfileField field : ProfileFields.ALL) {
      ProfileValue value = profile.values().get(field.path());
      if (field.required() || !value.equals(ProfileReader.unused(field))) {
        put(tree, field.path(), value);
      }
    }
    ProfileWriter writer = new ProfileWriter();
    writer.write(tree, "");
    return writer.out.append('\n').toString();
  }

  @SuppressWarnings("unchecked")
  private static void put(Map<String, Object> tree, String path, ProfileValue value) {
    int dot = path.indexOf('.');
    if (dot < 0) {
      tree.put(path, value);
    } else {
      Object group = tree.computeIfAbsent(path.substring(0, dot), key -> new LinkedHashMap<>());
      put((Map<String, Object>) group, path.substring(dot + 1), value);
    }
  }

  private void write(Object tree, String indent) {
    if (tree instanceof Map<?, ?> map) {
      String inner = indent + "  ";
      String before = "{\n";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(before).append(inner).append(quoted(entry.getKey())).append(": ");
        write(entry.getValue(), inner);
        before = ",\n";
      }
      out.append('\n').append(indent).append('}');
    } else if (tree instanceof ProfileValue number) {
      out.append("{\"value\": ").append(number.value());
      out.append(", \"unit\": ").append(quoted(number.unit()));
      out.append(", \"source\": ").append(quoted(number.source()));
      out.append(number.calibrated() ? ", \"calibrated\": true}" : "}");
    } else {
      out.append(quoted(tree));
    }
  }

  private static String quoted(Object text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString("" + text)) + '"';
  }
}
