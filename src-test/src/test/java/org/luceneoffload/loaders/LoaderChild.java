/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.loaders;

import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A server that loads an application several times, as redeployment does: each time in a class
 * loader of its own, which is dropped when the application is done. Has no class of the application
 * itself.
 */
final class LoaderChild {
  private static final long PATIENCE_NS = 30_000_000_000L;

  private LoaderChild() {}

  /** Arguments: class path of the application, its class, folder, how often, how many at once. */
  public static void main(String[] args) throws Exception {
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    int atOnce = Integer.parseInt(args[4]);
    List<ClassLoader> kept = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[3]); i++) {
      ClassLoader loader = run(args, i);
      loaders.add(new WeakReference<>(loader));
      kept.add(loader);
      if (kept.size() == atOnce) {
        kept.clear();
      }
    }
    kept.clear();
    System.out.println("> loaders left " + left(loaders));
  }

  private static ClassLoader run(String[] args, int number) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : args[0].split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      Method application = loader.loadClass(args[1]).getDeclaredMethod("run", String.class);
      application.setAccessible(true);
      System.out.println("> " + application.invoke(null, Path.of(args[2], "" + number).toString()));
    } finally {
      thread.setContextClassLoader(before);
    }
    loader.close();
    return loader;
  }

  /** How many stay, once the collector has done what it can. */
  private static long left(List<WeakReference<ClassLoader>> loaders) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NS;
    long left;
    do {
      System.gc();
      Thread.sleep(50);
      left = loaders.stream().filter(loader -> loader.get() != null).count();
    } while (left > 0 && System.nanoTime() < end);
    return left;
  }
}
