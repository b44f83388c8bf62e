/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.corpus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestCorpusBuilder {
  @TempDir private Path temp;
  private Path jars;
  private Path corpus;

  @BeforeEach
  void folders() throws IOException {
    jars = Files.createDirectory(temp.resolve("jars"));
    corpus = temp.resolve("corpus");
  }

  private static String page(String type, String text) {
    return "<h1 class=\"title\">Class "
        + type
        + "</h1><section class=\"class-description\"><div class=\"block\">"
        + text
        + "</div></section>";
  }

  private void jar(String name, String... pathsAndPages) throws IOException {
    try (OutputStream file = Files.newOutputStream(jars.resolve(name));
        ZipOutputStream zip = new ZipOutputStream(file)) {
      for (int i = 0; i < pathsAndPages.length; i += 2) {
        zip.putNextEntry(new ZipEntry(pathsAndPages[i]));
        zip.write(pathsAndPages[i + 1].getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private List<JsonNode> documents() throws IOException {
    List<JsonNode> nodes = new ArrayList<>();
    for (String line : Files.readAllLines(corpus.resolve(CorpusBuilder.DOCUMENTS))) {
      nodes.add(new ObjectMapper().readTree(line));
    }
    return nodes;
  }

  @Test
  void writesOneDocumentForEachDescription() throws IOException {
    String text = "A thing with \"quotes\" and \u00fcmlauts in it.";
    jar(
        "some-lib-1.2.3-javadoc.jar",
        "org/box/Zebra.html",
        page("Zebra", "An animal that has many stripes."),
        "org/box/Box.html",
        page("Box", text),
        "org/box/Copy.html",
        page("Copy", text),
        "org/box/class-use/Box.html",
        page("Box", "This page must not be read."),
        "org/box/package-summary.html",
        page("Box", "This page must not be read either."),
        "some.module/org/box/Door.Lock.html",
        page("Door.Lock", "It keeps the door well closed."));
    CorpusBuilder.Summary summary = CorpusBuilder.build(jars, corpus);
    assertEquals(new CorpusBuilder.Summary(3, 1, false), summary);
    List<JsonNode> documents = documents();
    assertEquals(
        List.of("some-lib/org.box.Box", "some-lib/org.box.Zebra", "some-lib/org.box.Door.Lock"),
        documents.stream().map(d -> d.get("id").asText()).toList());
    assertEquals("Class Box", documents.get(0).get("title").asText());
    assertEquals(text, documents.get(0).get("body").asText());
    assertEquals("some-lib", documents.get(0).get("artifact").asText());
    assertEquals("class", documents.get(0).get("kind").asText());
    assertEquals("org.box", documents.get(0).get("package").asText());
    assertEquals("org.box", documents.get(2).get("package").asText());
    assertTrue(CorpusBuilder.isBuilt(corpus));
  }

  @Test
  void lengthCountsCharactersAndNotesToo() throws IOException {
    // The last character of the first sentence is a pair of surrogates.
    String text = "It takes a face \ud83d\ude00";
    String notes = "<dl><dt>Returns:</dt><dd>the face</dd></dl></section>";
    jar("a-1-javadoc.jar", "o/A.html", page("A", text).replace("</section>", notes));
    CorpusBuilder.build(jars, corpus);
    JsonNode document = documents().get(0);
    assertEquals(text + " the face.", document.get("body").asText());
    assertEquals(27, document.get("length").asInt());
    assertEquals("o", document.get("package").asText());
    for (String field : CorpusBuilder.FIELDS) {
      boolean number = field.endsWith(":long");
      JsonNode value = document.get(field.substring(0, field.indexOf(':')));
      assertTrue(number ? value.isIntegralNumber() : value.isTextual(), field);
    }
  }

  @Test
  void doesNothingTwiceAndTheSameBytesAgain() throws IOException {
    jar("a-1-javadoc.jar", "o/A.html", page("A", "First type of the first library."));
    jar("b-1-javadoc.jar", "o/B.html", page("B", "First type of the second library."));
    CorpusBuilder.build(jars, corpus);
    byte[] first = Files.readAllBytes(corpus.resolve(CorpusBuilder.DOCUMENTS));
    assertEquals(new CorpusBuilder.Summary(2, 2, true), CorpusBuilder.build(jars, corpus));
    Files.delete(corpus.resolve(CorpusBuilder.RECIPE));
    assertFalse(CorpusBuilder.build(jars, corpus).upToDate());
    assertArrayEquals(first, Files.readAllBytes(corpus.resolve(CorpusBuilder.DOCUMENTS)));
    jar("c-1-javadoc.jar", "o/C.html", page("C", "A type of yet another library."));
    assertEquals(new CorpusBuilder.Summary(3, 3, false), CorpusBuilder.build(jars, corpus));
  }

  @Test
  void saysWhichJarIsBroken() throws IOException {
    Files.writeString(jars.resolve("bad-1-javadoc.jar"), "not a zip file");
    IOException e = assertThrows(IOException.class, () -> CorpusBuilder.build(jars, corpus));
    assertTrue(e.getMessage().contains("bad-1-javadoc.jar"), e.getMessage());
    assertFalse(CorpusBuilder.isBuilt(corpus));
  }

  @Test
  void saysWhatIsMissing() {
    IOException none = assertThrows(IOException.class, () -> CorpusBuilder.build(jars, corpus));
    assertTrue(none.getMessage().contains("no javadoc jar in " + jars), none.getMessage());
    Path nowhere = temp.resolve("nowhere");
    IOException missing =
        assertThrows(IOException.class, () -> CorpusBuilder.build(nowhere, corpus));
    assertTrue(missing.getMessage().contains(nowhere.toString()), missing.getMessage());
  }
}
