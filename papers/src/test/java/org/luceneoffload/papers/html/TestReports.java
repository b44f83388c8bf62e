/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.study.Header;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.Report;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.study.Trend;
import org.xml.sax.InputSource;

/** The files of a report, of made-up findings. */
class TestReports {
  private static final Pattern SCRIPT = Pattern.compile("(?s)<script([^>]*)>(.*?)</script>");

  private static PaperReport paper(String profile, double factor) throws IOException {
    Map<String, Double> made = new LinkedHashMap<>();
    for (Published published : Published.of(Papers.TABLES)) {
      made.put(published.id(), factor * published.value());
    }
    Plot plot =
        Plot.of(
                "Times <of> \"scans\"",
                "a note & more",
                new Axis("layout", "", false),
                new Axis("time", "s", true),
                List.of("NSM", "PAX"))
            .add("modelled", Mark.BARS, List.of(108.25, 80.25))
            .published("the paper", Arrays.asList(115.0, null));
    boolean own = profile.equals(Papers.profileOf(Papers.TABLES));
    return new PaperReport(
        Papers.TABLES,
        "A <paper>",
        profile,
        "title",
        own,
        List.of("a note"),
        List.of(),
        PaperReport.compare(Papers.TABLES, own, made, Map.of("s2.ssd.64", "A reason.")),
        PaperReport.judge(
            own, List.of(new Trend("a trend", "section 1", true, false, "1")), Map.of()),
        List.of(
            Table.of("t", "n")
                .text("query, or \"q\"")
                .number("columns", "")
                .number("time", "ms")
                .row("sum", 64, 7.25)
                .row("sum", 4, null)),
        List.of(plot));
  }

  private static Report report(String beside) throws IOException {
    String own = Papers.profileOf(Papers.TABLES);
    return new Report(
        Header.of(
            "reproduce --paper s2",
            List.of(Profiles.load(own), Profiles.load(own)),
            List.of(new Header.Seeds(Papers.TABLES, List.of(7L)))),
        List.of(paper(own, 1.2)),
        beside == null ? List.of() : List.of(paper(beside, 0.5)),
        null);
  }

  private static String file(Report report, Path dir, String name) throws IOException {
    ReportFiles.write(report, dir);
    return Files.readString(dir.resolve(name));
  }

  @Test
  void twoRunsWriteTheSameBytes(@TempDir Path one, @TempDir Path other) throws IOException {
    List<Path> files = ReportFiles.write(report(null), one);
    ReportFiles.write(report(null), other);
    assertEquals(5, files.size());
    for (Path file : files) {
      assertEquals(-1, Files.mismatch(file, other.resolve(file.getFileName())), file.toString());
    }
  }

  @Test
  void thePageNeedsNoNetworkAndIsWellFormed(@TempDir Path dir) throws Exception {
    String page = file(report(null), dir, "report.html");
    Matcher scripts = SCRIPT.matcher(page);
    int plots = 0;
    while (scripts.find()) {
      assertFalse(scripts.group(1).contains("src"), scripts.group(1));
      plots += scripts.group(1).contains("application/json") ? 1 : 0;
    }
    assertEquals(1, plots);
    assertTrue(page.contains("Chart.js v4.4.1"), "the library");
    assertTrue(page.contains("The MIT License"), "its licence");
    assertFalse(page.contains("sourceMappingURL"), "a link");
    String xml = SCRIPT.matcher(page).replaceAll("").replace("<!DOCTYPE html>", "");
    assertFalse(xml.contains("http"), "a link");
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  /** Where no script runs, the data of a plot is a table. */
  @Test
  void aPlotIsJsonAndATable(@TempDir Path dir) throws Exception {
    String page = file(report(null), dir, "report.html");
    Matcher script =
        Pattern.compile("<script type=\"application/json\">(.*?)</script>").matcher(page);
    assertTrue(script.find());
    JsonNode plot = new JsonMapper().readTree(script.group(1));
    assertEquals("Times <of> \"scans\"", plot.get("title").asText());
    assertEquals(115, plot.get("series").get(1).get("y").get(0).asDouble());
    assertTrue(plot.get("series").get(1).get("y").get(1).isNull());
    assertTrue(plot.get("y").get("log").asBoolean());
    String data = page.substring(page.indexOf("class=\"data\""), page.indexOf("</figure>"));
    assertTrue(data.contains("<td>NSM</td><td class=\"r\">108</td><td class=\"r\">115</td>"), data);
    assertTrue(data.contains("a note &amp; more"), data);
    assertTrue(page.contains("<noscript><style>.data { display: block; }"), "without scripts");
  }

  @Test
  void whatIsMissedIsNamed(@TempDir Path dir) throws Exception {
    Report report = report(null);
    long counted =
        Published.of(Papers.TABLES).stream()
            .filter(figure -> figure.kind() == Published.Kind.COUNT)
            .count();
    assertTrue(counted > 0);
    assertEquals(counted, report.papers().get(0).count(Published.Kind.COUNT, "MISS"));
    String page = file(report, dir, "report.html");
    assertTrue(page.contains("A &lt;paper&gt;"), page);
    assertTrue(page.contains("A reason."), page);
    assertTrue(page.contains("a trend. The reason is not known."), page);
  }

  @Test
  void everyFileSaysHowItWasMade(@TempDir Path dir) throws Exception {
    Report report = report(null);
    Header header = report.header();
    assertEquals(1, header.profiles().size());
    assertTrue(header.profiles().get(0).sha256().matches("[0-9a-f]{64}"), header::toString);
    String page = file(report, dir, "report.html");
    assertTrue(page.contains("./offload reproduce --paper s2"), page);
    assertTrue(page.contains(header.profiles().get(0).sha256()), page);
    assertTrue(page.contains("commit " + header.commit()), page);
    JsonNode json = new JsonMapper().readTree(Files.readString(dir.resolve("report.json")));
    assertEquals(7, json.get("header").get("seeds").get(0).get("seeds").get(0).asInt());
    assertEquals(header.wireVersion(), json.get("header").get("wire_version").asInt());
  }

  @Test
  void csvHasEveryFigureAndEveryNumber(@TempDir Path dir) throws Exception {
    Report report = report("pcie5-csd");
    String figures = file(report, dir, "figures.csv");
    int count = report.papers().get(0).figures().size();
    assertEquals(1 + 2 * count, figures.lines().count());
    assertTrue(figures.contains("\ns2,smart-ssd-sas-2013,s2.rows.4,count,"), figures);
    assertTrue(figures.contains(",MISS\n"), figures);
    assertTrue(figures.contains(",shown\n"), figures);
    assertEquals(
        List.of(
            "paper,profile,table,row,label,column,unit,value",
            "s2,smart-ssd-sas-2013,t,1,\"sum, 64\",columns,,64",
            "s2,smart-ssd-sas-2013,t,1,\"sum, 64\",time,ms,7.25000",
            "s2,smart-ssd-sas-2013,t,2,\"sum, 4\",columns,,4"),
        Files.readAllLines(dir.resolve("tables.csv")).subList(0, 4));
  }

  @Test
  void twoProfilesStandSideBySide(@TempDir Path dir) throws Exception {
    String page = file(report("pcie5-csd"), dir, "report.html");
    assertTrue(page.contains("<th class=\"r\">on pcie5-csd</th>"), page);
    assertTrue(page.contains("Every experiment, profile pcie5-csd"), page);
    assertFalse(file(report(null), dir, "report.html").contains("pcie5-csd"));
  }

  @Test
  void textIsEscaped() {
    assertEquals("a&lt;b&gt;&amp;&quot;&#39;", Html.escape("a<b>&\"'"));
    assertEquals("a,\"b,c\",\"d\"\"e\"\n", ReportFiles.row("a", "b,c", "d\"e"));
  }
}
