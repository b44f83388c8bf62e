/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * Reads the javadoc page of one type, in any HTML that the javadoc tool wrote since JDK 7.
 *
 * <p>Three generations matter. Up to JDK 12 a member is an {@code li.blockList} that starts with an
 * {@code h4}, and its anchor is an {@code <a>} element before the enclosing list; the anchors spell
 * {@code get(int)} (JDK 7, and 9 on) or {@code get-int-} (JDK 8). From JDK 13 on a member is a
 * {@code section.detail}, whose anchor is its id or an {@code <a>} in its heading. The description
 * of the type is a {@code div.description}, {@code section.description} or {@code
 * section.class-description}. The text itself is a {@code div.block} in all of them.
 *
 * <p>The heading says what kind of type it is, but most of these tools say {@code Class} of
 * exceptions and errors, too. Those are told by the inheritance tree on the page.
 */
final class JavadocPage {
  /** Fewest words of a description that says something. */
  static final int MIN_WORDS = 5;

  private static final Pattern HEADING =
      Pattern.compile(
          "(Annotation Interface|Annotation Type|Enum Class|Record Class|Exception Class"
              + "|Error Class|Class|Interface|Enum|Record|Exception|Error) .+");

  private static final Set<String> NOTES =
      Set.of("parameters:", "type parameters:", "returns:", "throws:", "record components:");

  /** The anchor of JDK 8 for {@code get(int[])}: {@code get-int:A-}. */
  private static final Pattern DASHED_ANCHOR = Pattern.compile("([^-()]+)-(.*)-");

  /**
   * The text of a page or a member.
   *
   * @param anchor the member as its anchor names it, such as {@code get(int)}; empty for the type
   * @param kind what it is: class, interface, enum, record, annotation, exception, error, method,
   *     constructor or field (constants of an enum are fields)
   * @param title for people
   * @param description the description alone, by which repeated text is recognised
   * @param notes parameters, result, exceptions; may be empty
   */
  record Entry(String anchor, String kind, String title, String description, String notes) {}

  private JavadocPage() {}

  /**
   * Reads a page.
   *
   * @param typeName the type's name with its outer types, such as {@code BooleanClause.Occur}
   * @param html the page
   * @return the type and its members in page order, without those that have no description of their
   *     own; empty if the page does not describe a type
   */
  static List<Entry> parse(String typeName, String html) {
    Document page = Jsoup.parse(html);
    Element heading = page.selectFirst("h1.title, h2.title");
    Matcher shown = HEADING.matcher(heading == null ? "" : plain(heading.text()));
    if (!shown.matches()) {
      return List.of();
    }
    List<Entry> entries = new ArrayList<>();
    Element type =
        page.selectFirst("section.class-description, section.description, div.description");
    if (type != null) {
      add(entries, type, "", kindOfType(shown.group(1), page), shown.group(1) + " " + typeName);
    }
    for (Element member : page.select("section.detail, .details li.blockList:has(> h4)")) {
      String anchor = anchorOf(member);
      if (!anchor.isEmpty()) {
        add(entries, member, anchor, kindOfMember(typeName, anchor), titleOf(typeName, anchor));
      }
    }
    return entries;
  }

  private static void add(
      List<Entry> entries, Element part, String anchor, String kind, String title) {
    StringBuilder description = new StringBuilder();
    for (Element block : part.select("div.block, .description-from-type-label")) {
      String text = plain(block.text());
      if (text.startsWith("Description copied from")) {
        return; // the document of the member that it was copied from says the same
      }
      boolean nested = block.parent() != null && block.parent().closest("div.block") != null;
      if (!nested && !text.isEmpty()) {
        description.append(description.isEmpty() ? "" : " ").append(text);
      }
    }
    String text = description.toString();
    if (words(text) >= MIN_WORDS) {
      entries.add(new Entry(anchor, kind, title, text, notesOf(part)));
    }
  }

  private static String notesOf(Element part) {
    StringBuilder notes = new StringBuilder();
    boolean wanted = false;
    for (Element item : part.select("dl > dt, dl > dd")) {
      String text = plain(item.text());
      if (item.nameIs("dt")) {
        wanted = NOTES.contains(text.toLowerCase(Locale.ROOT));
      } else if (wanted && !text.isEmpty()) {
        notes.append(notes.isEmpty() ? "" : " ").append(text);
        notes.append(text.endsWith(".") ? "" : ".");
      }
    }
    return notes.toString();
  }

  private static String anchorOf(Element member) {
    if (!member.id().isEmpty()) {
      return canonical(member.id());
    }
    Element inHeading = member.selectFirst("> h3 > a[id], > h3 > a[name], > a[id], > a[name]");
    if (inHeading != null) {
      return canonical(nameOf(inHeading));
    }
    // Generic members have two anchors before the list; the first has the erased types.
    Element first = null;
    Element list = member.parent();
    for (Element e = list == null ? null : list.previousElementSibling();
        e != null && e.nameIs("a");
        e = e.previousElementSibling()) {
      first = e;
    }
    return first == null ? "" : canonical(nameOf(first));
  }

  private static String nameOf(Element anchor) {
    return anchor.id().isEmpty() ? anchor.attr("name") : anchor.id();
  }

  /** Spells an anchor as {@code name(type,type)}, whichever tool wrote it. */
  static String canonical(String encoded) {
    // JDK 8 puts "Z:Z" before names that start with an underscore or a dollar sign ("Z:D").
    String anchor = encoded.replaceFirst("^Z:Z(?=_)", "").replaceFirst("^Z:D", "\\$");
    Matcher dashed = DASHED_ANCHOR.matcher(anchor);
    if (dashed.matches()) {
      String types = dashed.group(2).replace('-', ',').replace(":A", "[]");
      return dashed.group(1) + "(" + types + ")";
    }
    return anchor.replace(" ", "").replace("%3C", "<").replace("%3E", ">");
  }

  /** Returns the kind of a type: the first word of its heading, unless its ancestors say more. */
  private static String kindOfType(String heading, Document page) {
    String kind = heading.split(" ", 2)[0].toLowerCase(Locale.ROOT);
    Element tree = page.selectFirst(".inheritance");
    if (!kind.equals("class") || tree == null) {
      return kind;
    }
    List<String> ancestors = List.of(plain(tree.text()).split(" "));
    return ancestors.contains("java.lang.Error")
        ? "error"
        : ancestors.contains("java.lang.Throwable") ? "exception" : kind;
  }

  /** Returns the kind of a member. */
  private static String kindOfMember(String typeName, String anchor) {
    return isConstructor(typeName, anchor)
        ? "constructor"
        : anchor.indexOf('(') < 0 ? "field" : "method";
  }

  /**
   * Returns whether a member is a constructor: these have the name of their type, with or without
   * outer types, or {@code <init>}.
   */
  private static boolean isConstructor(String typeName, String anchor) {
    String name = anchor.substring(0, Math.max(0, anchor.indexOf('(')));
    return name.equals("<init>")
        || name.equals(typeName)
        || name.equals(typeName.substring(typeName.lastIndexOf('.') + 1));
  }

  /** Returns {@code Term.compareTo(Term)} for {@code compareTo(org.apache.lucene.index.Term)}. */
  private static String titleOf(String typeName, String anchor) {
    int open = anchor.indexOf('(');
    if (open < 0) {
      return typeName + "." + anchor;
    }
    String types = anchor.substring(open).replaceAll("(?:[A-Za-z_$][\\w$]*\\.)+(?=\\w)", "");
    types = types.replace(",", ", ");
    return isConstructor(typeName, anchor)
        ? "new " + typeName + types
        : typeName + "." + anchor.substring(0, open) + types;
  }

  private static int words(String text) {
    return text.isEmpty() ? 0 : text.split(" ").length;
  }

  /** Returns one line, with ordinary spaces only. */
  private static String plain(String text) {
    return text.replace("\u200b", "").replace('\u00a0', ' ').replaceAll("\\s+", " ").strip();
  }
}
