/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.architecture.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The exports of the module of the drop-in jar.
 *
 * @param to of each package the modules that may use it; empty for every module
 */
public record ModuleExports(Map<String, Set<String>> to) {
  private static final Path SOURCE =
      Path.of("..", "jni-bridge", "src", "main", "module", "module-info.java");
  private static final Pattern EXPORTS =
      Pattern.compile("^ {2}exports ([a-z.]+)(?:\\s+to\\s+([a-z.,\\s]+))?;", Pattern.MULTILINE);

  /** Reads the module's declaration. */
  public static ModuleExports read() throws IOException {
    Map<String, Set<String>> exports = new HashMap<>();
    Matcher matcher = EXPORTS.matcher(Files.readString(SOURCE));
    while (matcher.find()) {
      String modules = matcher.group(2);
      exports.put(
          matcher.group(1),
          modules == null ? Set.of() : Set.of(modules.strip().split("\\s*,\\s*")));
    }
    return new ModuleExports(exports);
  }

  /** Returns the packages that are exported to anybody. */
  public Set<String> packages() {
    return to.keySet();
  }

  /** Returns whether a module may use a package. */
  public boolean isExported(String name, String module) {
    Set<String> modules = to.get(name);
    return modules != null && (modules.isEmpty() || modules.contains(module));
  }
}
