/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.concurrency;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** Open files and live threads of this process at one moment, to be found again at another. */
final class ProcessWatch {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int PATIENCE_MS = 120_000;

  private final Set<String> files = files();
  private final Set<Thread> threads = threads();

  /** Returns the files that descriptors are open on; none where the system does not tell. */
  private static Set<String> files() {
    Set<String> found = new HashSet<>();
    if (Files.isDirectory(DESCRIPTORS)) {
      try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
        for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
          String target = target(descriptor);
          if (target.startsWith("/") && !target.startsWith("/proc/")) {
            found.add(descriptor.getFileName() + " -> " + target);
          }
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
    return found;
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }

  private static Set<Thread> threads() {
    return new HashSet<>(Thread.getAllStackTraces().keySet());
  }

  /** Fails if files below a folder, or threads, are open that were not when this was made. */
  void assertNothingNew(Path folder) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_MS * 1_000_000L;
    while (true) {
      Set<String> newFiles = files();
      newFiles.removeAll(files);
      newFiles.removeIf(file -> !file.contains(folder.toString()));
      Set<Thread> newThreads = threads();
      newThreads.removeAll(threads);
      // The JVM starts these when it likes.
      newThreads.removeIf(t -> t.isDaemon() && t.getThreadGroup() == null);
      newThreads.removeIf(ProcessWatch::isOfTheJvm);
      if (newFiles.isEmpty() && newThreads.isEmpty()) {
        return;
      }
      // Merge threads end a moment after their writer is closed.
      assertTrue(System.nanoTime() < end, "left open: " + newFiles + " " + newThreads);
      Thread.sleep(20);
    }
  }

  private static boolean isOfTheJvm(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    return group == null || group.getName().equals("system") || group.getName().startsWith("Inno");
  }
}
