/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The type pages of one javadoc jar. */
final class JavadocJar {
  /** A type page: an optional module folder, the package's folders, the type. */
  private static final Pattern TYPE_PAGE =
      Pattern.compile("(?:[\\w.]+\\.\\w+/)?((?:[\\w]+/)+)([\\w.$]+)\\.html");

  private static final Pattern NO_TYPES =
      Pattern.compile("(.*/)?(class-use|doc-files|index-files|src-html)/.*");

  /** Third-party code inside these jars that is under another licence than the library. */
  private static final List<String> FOREIGN_PACKAGES =
      List.of("org.springframework.asm", "org.tartarus.snowball");

  private static final Pattern JAR_NAME = Pattern.compile("(.+?)-(\\d[^/]*?)(-javadoc)?\\.jar");

  /** A description together with the document that it makes. */
  record Described(String description, CorpusDocument document) {}

  private JavadocJar() {}

  /**
   * Reads all pages, on several threads.
   *
   * @return what has a description, in the order of the pages' names, then in page order
   * @throws IOException if the jar cannot be read; the message names it
   */
  static List<Described> read(Path jar) throws IOException {
    String library = libraryOf(jar);
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      List<String> names =
          zip.stream()
              .map(ZipEntry::getName)
              .filter(name -> TYPE_PAGE.matcher(name).matches())
              .filter(name -> !NO_TYPES.matcher(name).matches())
              .sorted()
              .toList();
      return names.parallelStream()
          .flatMap(name -> readPage(zip, library, name))
          .filter(Objects::nonNull)
          .toList();
    } catch (IOException | UncheckedIOException e) {
      throw new IOException("cannot read javadoc jar " + jar + ": " + e.getMessage(), e);
    }
  }

  private static Stream<Described> readPage(ZipFile zip, String library, String name) {
    Matcher parts = TYPE_PAGE.matcher(name);
    if (!parts.matches()) {
      return Stream.empty();
    }
    String packageName = parts.group(1).replace('/', '.');
    String typeName = parts.group(2);
    if (FOREIGN_PACKAGES.stream().anyMatch(foreign -> packageName.startsWith(foreign + "."))) {
      return Stream.empty();
    }
    String html;
    try (InputStream in = zip.getInputStream(zip.getEntry(name))) {
      html = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name + ": " + e.getMessage(), e);
    }
    String owner = library + "/" + packageName + typeName;
    return JavadocPage.parse(typeName, html).stream()
        .map(
            entry -> {
              String id = entry.anchor().isEmpty() ? owner : owner + "#" + entry.anchor();
              String body =
                  entry.notes().isEmpty()
                      ? entry.description()
                      : entry.description() + " " + entry.notes();
              return new Described(
                  entry.description(),
                  new CorpusDocument(
                      id,
                      entry.title(),
                      library,
                      entry.kind(),
                      packageName.substring(0, packageName.length() - 1), // without its last dot
                      body.codePointCount(0, body.length()),
                      body));
            });
  }

  /** Returns {@code lucene-core} for {@code lucene-core-10.5.1-javadoc.jar}. */
  static String libraryOf(Path jar) {
    String name = String.valueOf(jar.getFileName());
    Matcher parts = JAR_NAME.matcher(name);
    return parts.matches() ? parts.group(1) : name.replaceAll("\\.jar$", "");
  }
}
