/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each generation of the javadoc tool, as small pages written by hand. */
class TestJavadocPage {
  private static final String JDK7 =
      """
      <html><body><div class="header"><h2 title="Class Box" class="title">Class Box&lt;T&gt;</h2></div>
      <div class="description"><ul class="blockList"><li class="blockList">
      <pre>public class <span>Box</span></pre>
      <div class="block">A box that holds at most one&nbsp;thing.<br/> It may be empty.</div>
      <dl><dt><span>Since:</span></dt><dd>1.0</dd></dl></li></ul></div>
      <div class="summary"><ul class="blockList"><li class="blockList"><h3>Method Summary</h3>
      <table><tr><td><div class="block">Puts something into the box.</div></td></tr></table></li></ul></div>
      <div class="details"><ul class="blockList"><li class="blockList">
      <a name="method_detail"><!-- --></a><h3>Method Detail</h3>
      <a name="put(java.lang.Object)"><!-- --></a><a name="put(T)"><!-- --></a>
      <ul class="blockList"><li class="blockList"><h4>put</h4><pre>void put(T thing)</pre>
      <div class="block">Puts a thing into the box, whatever it held.</div>
      <dl><dt><span>Parameters:</span></dt><dd><code>thing</code> - the thing</dd>
      <dt><span>See Also:</span></dt><dd>take()</dd></dl></li></ul>
      <a name="size()"><!-- --></a>
      <ul class="blockListLast"><li class="blockList"><h4>size</h4><pre>int size()</pre></li></ul>
      </li></ul></div></body></html>
      """;

  private static final String JDK8 =
      """
      <div class="header"><h2 title="Interface Box" class="title">Interface Box</h2></div>
      <div class="contentContainer">
      <div class="description"><ul class="blockList"><li class="blockList">
      <div class="block">Short text.</div></li></ul></div>
      <div class="details"><ul class="blockList"><li class="blockList">
      <a name="fill-int:A-java.lang.String...-"></a>
      <ul class="blockList"><li class="blockList"><h4>fill</h4>
      <div class="block">Fills the box with many numbers.</div></li></ul>
      <a name="close--"></a>
      <ul class="blockListLast"><li class="blockList"><h4>close</h4>
      <div class="block"><span class="descfrmTypeLabel">Description copied from interface:&nbsp;<code>X</code></span></div>
      <div class="block">Closes the box and all its friends.</div></li></ul>
      </li></ul></div></div>
      """;

  private static final String JDK14 =
      """
      <main><h1 title="Enum Colour" class="title">Enum Colour</h1>
      <section class="description"><div class="block">The colours that a box has.</div></section>
      <section class="details"><ul class="blockList"><li class="blockList"><section>
      <ul class="blockList"><li class="blockList">
      <section class="detail"><h3><a id="RED">RED</a></h3>
      <div class="block">As red as a box can be.</div></section></li></ul></section></li></ul></section></main>
      """;

  private static final String JDK21 =
      """
      <main><h1 title="Record Class Box.Lid" class="title">Record Class Box.Lid</h1>
      <section class="class-description" id="class-description">
      <div class="block">The lid that closes a box tightly.</div>
      <dl class="notes"><dt>Record Components:</dt><dd><code>size</code> - in mm</dd></dl></section>
      <section class="details"><ul class="details-list"><li>
      <section class="constructor-details" id="constructor-detail"><h2>Constructor Details</h2>
      <ul class="member-list"><li><section class="detail" id="&lt;init&gt;(int,java.util.Map.Entry)">
      <h3>Lid</h3><div class="block">Cuts a lid of a given size.</div></section></li></ul></section></li>
      <li><section class="method-details"><ul class="member-list"><li>
      <section class="detail" id="open(java.lang.String[])"><h3>open</h3>
      <div class="block">Opens the lid, if it<p>can be opened at all.</div>
      <dl class="notes"><dt>Returns:</dt><dd>whether it is open</dd><dt>Throws:</dt>
      <dd><code>IOException</code> - if it jams</dd></dl></section></li>
      <li><section class="detail" id="shut()"><h3>shut</h3>
      <div class="description-from-type-label">Description copied from class: Door</div>
      <div class="block">Shuts the door until it is opened again.</div></section></li></ul></section>
      </li></ul></section></main>
      """;

  @Test
  void jdk7HasTheErasedAnchorFirst() {
    assertEquals(
        List.of(
            new JavadocPage.Entry(
                "",
                "class",
                "Class Box",
                "A box that holds at most one thing. It may be empty.",
                ""),
            new JavadocPage.Entry(
                "put(java.lang.Object)",
                "method",
                "Box.put(Object)",
                "Puts a thing into the box, whatever it held.",
                "thing - the thing.")),
        JavadocPage.parse("Box", JDK7));
  }

  @Test
  void jdk8HasDashedAnchorsAndCopiedTextIsLeftOut() {
    assertEquals(
        List.of(
            new JavadocPage.Entry(
                "fill(int[],java.lang.String...)",
                "method",
                "Box.fill(int[], String...)",
                "Fills the box with many numbers.",
                "")),
        JavadocPage.parse("Box", JDK8));
  }

  @Test
  void jdk14HasAnchorsInHeadings() {
    assertEquals(
        List.of(
            new JavadocPage.Entry("", "enum", "Enum Colour", "The colours that a box has.", ""),
            new JavadocPage.Entry("RED", "field", "Colour.RED", "As red as a box can be.", "")),
        JavadocPage.parse("Colour", JDK14));
  }

  @Test
  void jdk21HasSectionsWithIds() {
    assertEquals(
        List.of(
            new JavadocPage.Entry(
                "",
                "record",
                "Record Class Box.Lid",
                "The lid that closes a box tightly.",
                "size - in mm."),
            new JavadocPage.Entry(
                "<init>(int,java.util.Map.Entry)",
                "constructor",
                "new Box.Lid(int, Entry)",
                "Cuts a lid of a given size.",
                ""),
            new JavadocPage.Entry(
                "open(java.lang.String[])",
                "method",
                "Box.Lid.open(String[])",
                "Opens the lid, if it can be opened at all.",
                "whether it is open. IOException - if it jams.")),
        JavadocPage.parse("Box.Lid", JDK21));
  }

  @ParameterizedTest
  @CsvSource({"Package org.box", "Index", "All Classes", "Uses of Class org.box.Box"})
  void pagesThatDescribeNoTypeAreDropped(String heading) {
    String html =
        "<h1 class=\"title\">"
            + heading
            + "</h1><section class=\"class-description\">"
            + "<div class=\"block\">Text that is long enough to count.</div></section>";
    assertEquals(List.of(), JavadocPage.parse("Box", html));
  }

  private static String kindOf(String heading, String tree) {
    String html =
        "<h1 class=title>"
            + heading
            + "</h1>"
            + tree
            + "<div class=description><div class=block>Text that is long enough to count.</div></div>";
    return JavadocPage.parse("Box", html).get(0).kind();
  }

  @ParameterizedTest
  @CsvSource({
    "Class Box, class",
    "Interface Box<T>, interface",
    "Enum Class Box, enum",
    "Annotation Type Box, annotation",
    "Annotation Interface Box, annotation",
    "Record Class Box, record",
    "Exception Class Box, exception",
    "Error Class Box, error"
  })
  void headingsTellTheKind(String heading, String kind) {
    assertEquals(kind, kindOf(heading, ""));
  }

  @Test
  void ancestorsTellExceptionsAndErrors() {
    String lists =
        "<ul class=inheritance><li>java.lang.Object</li><li><ul class=inheritance><li>"
            + "<a href=x>java.lang.Throwable</a></li><li>org.box.Box</li></ul></li></ul>";
    assertEquals("exception", kindOf("Class Box", lists));
    String divs =
        "<div class=inheritance title='Inheritance Tree'><a href=x>java.lang.Object</a>\n"
            + "<div class=inheritance>java.lang.Throwable<div class=inheritance>java.lang.Error"
            + "<div class=inheritance>org.box.Box</div></div></div></div>";
    assertEquals("error", kindOf("Class Box", divs));
    assertEquals("class", kindOf("Class Box", divs.replace("java.lang", "org.box.java")));
    assertEquals("interface", kindOf("Interface Box", divs));
  }

  @Test
  void constructorsOfInnerTypesHaveTwoNames() {
    String html =
        "<h2 class=title>Class Box.Lid</h2><div class=details><ul><li class=blockList>"
            + "<a name='Box.Lid-int-'></a><ul><li class=blockList><h4>Box.Lid</h4>"
            + "<div class=block>Cuts a lid of a given size.</div></li></ul>"
            + "<a name='Lid--'></a><ul><li class=blockList><h4>Lid</h4>"
            + "<div class=block>Cuts a lid of some other size.</div></li></ul>"
            + "<a name='lid--'></a><ul><li class=blockList><h4>lid</h4>"
            + "<div class=block>The lid that lies on top.</div></li></ul></li></ul></div>";
    assertEquals(
        List.of(
            "constructor new Box.Lid(int)", "constructor new Box.Lid()", "method Box.Lid.lid()"),
        JavadocPage.parse("Box.Lid", html).stream().map(e -> e.kind() + " " + e.title()).toList());
  }

  @Test
  void brokenHtmlIsReadAsFarAsItGoes() {
    assertEquals(List.of(), JavadocPage.parse("Box", ""));
    assertEquals(List.of(), JavadocPage.parse("Box", "<h1 class=\"title\">Class Box"));
    assertEquals(
        1,
        JavadocPage.parse(
                "Box",
                "<h1 class=title>Class Box</h1><div class=description><div class=block>One two "
                    + "three four five")
            .size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "get(int);get(int)",
        "get-int-;get(int)",
        "get--;get()",
        "MAX_VALUE;MAX_VALUE",
        "Z:Z_size-int-;_size(int)"
      })
  void anchorsAreSpelledOneWay(String anchor, String expected) {
    assertEquals(expected, JavadocPage.canonical(anchor));
  }
}
