/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.loaders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Lucene that is too old or too new: in a class loader of its own, it says another version. */
class TestOtherLucene {
  private static final String NEEDS =
      "lucene-offload needs Lucene 10.5 or a later 10.x, and this is ";

  @TempDir private Path temp;

  /** Loads all of the class path anew, but for the packages of a prefix, which are not there. */
  private static final class Lucene extends URLClassLoader {
    private final String lacks;

    Lucene(String lacks) throws Exception {
      super(urls(), ClassLoader.getPlatformClassLoader());
      this.lacks = lacks;
    }

    private static URL[] urls() throws Exception {
      List<URL> urls = new ArrayList<>();
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
      return urls.toArray(URL[]::new);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (lacks != null && name.startsWith(lacks)) {
        throw new ClassNotFoundException(name);
      }
      return super.findClass(name);
    }

    void setVersion(int major, int minor) throws Exception {
      Class<?> version = loadClass("org.apache.lucene.util.Version");
      Object latest = version.getField("LATEST").get(null);
      set(version.getField("major"), latest, major);
      set(version.getField("minor"), latest, minor);
    }

    private static void set(Field field, Object object, int value) throws Exception {
      field.setAccessible(true);
      field.setInt(object, value);
    }

    String call(String method, Path folder) throws Exception {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(this);
      try {
        Method called =
            loadClass(OtherLuceneApplication.class.getName())
                .getDeclaredMethod(method, String.class);
        called.setAccessible(true);
        return (String) called.invoke(null, folder.toString());
      } finally {
        thread.setContextClassLoader(before);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"10, 4", "11, 0"})
  void theHostAnswersAndOneSentenceSaysWhy(int major, int minor) throws Exception {
    try (Lucene lucene = new Lucene(null)) {
      lucene.setVersion(major, minor);
      String why = NEEDS + "Lucene " + major + "." + minor;
      assertEquals(
          "2 hits; the directory has no device: " + why + "; null", lucene.call("search", temp));
      assertEquals(why, lucene.call("openStrictly", temp.resolve("other")));
    }
  }

  @Test
  void theVersionThatIsHereIsFine() throws Exception {
    try (Lucene lucene = new Lucene(null)) {
      assertEquals(
          "2 hits; the directory has no device: it was opened without; null",
          lucene.call("searchHost", temp));
    }
  }

  @Test
  void aLuceneWithoutTheCodecBelowIsNamedByTheException() throws Exception {
    try (Lucene lucene = new Lucene("org.apache.lucene.codecs.lucene104.")) {
      lucene.setVersion(9, 12);
      InvocationTargetException e =
          assertThrows(InvocationTargetException.class, () -> lucene.call("makeCodec", temp));
      assertEquals(NEEDS + "Lucene 9.12", e.getCause().getMessage());
    }
  }
}
