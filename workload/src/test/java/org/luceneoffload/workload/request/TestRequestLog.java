/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SortField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.CalendarInterval;
import org.luceneoffload.aggregate.CombinedField;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.workload.QueryLine;
import org.luceneoffload.workload.TypedField;
import org.luceneoffload.workload.TypedFields;

class TestRequestLog {
  private static final TypedFields FIELDS =
      TypedFields.parse(
          List.of("kind:keyword", "size:long", "price:double", "day:date", "place:geo"));

  private static LoggedRequest parse(String line) {
    return new RequestLog(FIELDS).parse(List.of(new QueryLine(line, "log:7"))).get(0);
  }

  private static SearchRequest request(String body) {
    LoggedRequest line = parse(body);
    assertNull(line.untranslated());
    return line.request();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "{'match_all':{}} => *:*",
        "{'match':{'body':'Red Cars'}} => body:red body:cars",
        "{'match':{'body':{'query':'red cars','operator':'and','boost':2}}} => (+body:red"
            + " +body:cars)^2.0",
        "{'match':{'body':{'query':'a b c d','minimum_should_match':'75%'}}} "
            + "=> (body:a body:b body:c body:d)~3",
        "{'match':{'body':{'query':'a b c d','minimum_should_match':-1}}} "
            + "=> (body:a body:b body:c body:d)~3",
        "{'match':{'body':'...'}} => MatchNoDocsQuery(\"\")",
        "{'match_phrase':{'body':{'query':'red cars','slop':2}}} => body:\"red cars\"~2",
        "{'multi_match':{'query':'red','fields':['title^3','body'],'tie_breaker':0.5}} "
            + "=> ((title:red)^3.0 | body:red)~0.5",
        "{'dis_max':{'queries':[{'term':{'body':'x'}},{'term':{'title':'x'}}]}} => (body:x |"
            + " title:x)",
        "{'query_string':{'query':'title:x AND y'}} => +title:x +body:y",
        "{'query_string':{'query':'x','default_field':'title'}} => title:x",
        "{'prefix':{'body':'re'}} => body:re*",
        "{'wildcard':{'body':{'wildcard':'r*d'}}} => body:r*d",
        "{'wildcard':{'body':{'value':'r*d'}}} => body:r*d",
        "{'regexp':{'body':'r.d'}} => body:/r.d/",
        "{'fuzzy':{'body':{'value':'read','fuzziness':'AUTO'}}} => body:read~1",
        "{'term':{'body':{'value':'Red'}}} => body:Red",
        "{'terms':{'body':['x','y']}} => body:(x y)",
        "{'exists':{'field':'size'}} => FieldExistsQuery [field=size]",
        "{'ids':{'values':['1']}} => id:(1)",
        "{'constant_score':{'filter':{'term':{'body':'x'}},'boost':3}} =>"
            + " (ConstantScore(body:x))^3.0",
        "{'bool':{'must':{'term':{'body':'x'}},'filter':[{'term':{'body':'y'}}],"
            + "'must_not':[{'term':{'body':'z'}}],'should':[{'term':{'body':'v'}}],"
            + "'minimum_should_match':1}} => (+body:x #body:y -body:z body:v)~1",
        "{'bool':{'must_not':[{'term':{'body':'z'}}]}} => -body:z #*:*",
        "{'bool':{}} => *:*",
        "{'span_near':{'clauses':[{'span_term':{'body':'x'}},{'span_term':{'body':'y'}}],'slop':3,"
            + "'in_order':false}} => spanNear([body:x, body:y], 3, false)",
        "{'intervals':{'body':{'match':{'query':'x y','ordered':true,'max_gaps':2}}}} "
            + "=> body:MAXGAPS/2(ORDERED(x,y))",
      })
  void translatesQueries(String json, String lucene) {
    String body = "{\"query\":" + json.replace('\'', '"') + "}";
    assertEquals(lucene, request(body).query().toString());
  }

  @Test
  void asksTypedFieldsForValues() {
    String query =
        request("{\"query\":{\"range\":{\"day\":{\"gte\":\"2024-01-01\",\"lt\":\"2024-01-02\"}}}}")
            .query()
            .toString();
    assertTrue(query.contains("day:[1704067200000 TO 1704153599999]"), query);
    query = request("{\"query\":{\"terms\":{\"size\":[3,5]}}}").query().toString();
    assertTrue(query.contains("size:{3 5}"), query);
    query = request("{\"query\":{\"match\":{\"kind\":\"Big One\"}}}").query().toString();
    assertTrue(query.contains("kind:Big One"), query);
  }

  @Test
  void asksFieldsOfPointsForAreas() {
    Query box =
        new IndexOrDocValuesQuery(
            LatLonPoint.newBoxQuery("place", -1.5, 2, 179.5, -178),
            LatLonDocValuesField.newSlowBoxQuery("place", -1.5, 2, 179.5, -178));
    Query circle =
        new IndexOrDocValuesQuery(
            LatLonPoint.newDistanceQuery("place", 0.5, 179, 2500),
            LatLonDocValuesField.newSlowDistanceQuery("place", 0.5, 179, 2500));
    Polygon triangle = new Polygon(new double[] {1, 2, 1.5, 1}, new double[] {5, 5, 6, 5});
    Query polygon =
        new IndexOrDocValuesQuery(
            LatLonPoint.newPolygonQuery("place", triangle),
            LatLonDocValuesField.newSlowPolygonQuery("place", triangle));
    Map<String, Query> queries =
        Map.of(
            "{'geo_polygon':{'place':{'points':[[5,1],'2,5',{'lat':1.5,'lon':6}]},'boost':1}}",
            polygon,
            "{'geo_polygon':{'validation_method':'STRICT','place':{'points':['1,5','2,5','1.5,6','1,5']}}}",
            polygon,
            "{'geo_bounding_box':{'place':{'top_left':{'lat':2,'lon':179.5},'bottom_right':'-1.5,-178'}}}",
            box,
            "{'query_string':{'query':'place:[-1.5,179.5 TO 2,-178]'}}",
            box,
            "{'geo_distance':{'distance':'2.5km','place':[179,0.5],'distance_type':'arc'}}",
            circle,
            "{'geo_distance':{'distance':2500,'place':'0.5,179','boost':1}}",
            circle,
            "{'query_string':{'query':'place:\\\"0.5,179,2500m\\\"'}}",
            circle);
    queries.forEach(
        (json, query) ->
            assertEquals(query, request(("{'query':" + json + "}").replace('\'', '"')).query()));
  }

  @Test
  void sortsByDistance() {
    SearchRequest request =
        request(
            "{'sort':[{'_geo_distance':{'place':'0.5,179','order':'asc','unit':'m'}}],'search_after':[30.5]}"
                .replace('\'', '"'));
    assertEquals(
        LatLonDocValuesField.newDistanceSort("place", 0.5, 179), request.sort().getSort()[0]);
    assertEquals(30.5, request.after().fields[0]);
  }

  @Test
  void translatesSortsAndPages() {
    SearchRequest request =
        request(
            "{\"size\":7,\"sort\":[{\"size\":\"desc\"},{\"kind\":{\"order\":\"asc\"}},\"_doc\"],\"search_after\":[9,\"k\",3]}");
    assertEquals(7, request.size());
    SortField[] keys = request.sort().getSort();
    assertEquals(List.of("size", "kind"), List.of(keys[0].getField(), keys[1].getField()));
    assertTrue(keys[0].getReverse() && !keys[1].getReverse());
    assertEquals(SortField.FIELD_DOC, keys[2]);
    assertEquals(9L, request.after().fields[0]);
    assertNull(request("{\"sort\":\"_score\"}").sort());
  }

  @Test
  void translatesAggregations() {
    SearchRequest request =
        request(
            "{\"size\":0,\"aggs\":{\"a\":{\"avg\":{\"field\":\"size\"}},\"b\":{\"terms\":{\"field\":\"kind\",\"size\":5}},"
                + "\"c\":{\"date_histogram\":{\"field\":\"day\",\"fixed_interval\":\"12h\"}},"
                + "\"d\":{\"range\":{\"field\":\"size\",\"ranges\":[{\"to\":10},{\"from\":10}]}}}}");
    assertNull(request.otherWork());
    assertEquals(
        List.of(
            Aggregation.stats("size"),
            Aggregation.terms("kind", 5),
            Aggregation.histogram("day", 12 * 3600 * 1000L, 1 << 16),
            Aggregation.ranges(
                "size", new ValueRange(Long.MIN_VALUE, 9), new ValueRange(10, Long.MAX_VALUE))),
        request.aggregations());
  }

  @Test
  void translatesAggregationsByNumbersAndTheCalendar() {
    SearchRequest request =
        request(
            "{\"size\":0,\"aggs\":{\"a\":{\"terms\":{\"field\":\"size\",\"size\":5}},"
                + "\"b\":{\"cardinality\":{\"field\":\"kind\"}},\"c\":{\"cardinality\":{\"field\":\"size\"}},"
                + "\"d\":{\"date_histogram\":{\"field\":\"day\",\"calendar_interval\":\"month\"}},"
                + "\"e\":{\"date_histogram\":{\"field\":\"day\",\"fixed_interval\":\"2d\",\"time_zone\":\"Europe/Paris\"}}}}");
    assertNull(request.otherWork());
    assertEquals(
        List.of(
            Aggregation.values("size", 5),
            Aggregation.distinctTerms("kind"),
            Aggregation.distinctValues("size"),
            Aggregation.dates(
                "day",
                new CalendarInterval(CalendarInterval.Unit.MONTH, 1, ZoneId.of("Z")),
                1 << 16),
            Aggregation.dates(
                "day",
                new CalendarInterval(CalendarInterval.Unit.DAY, 2, ZoneId.of("Europe/Paris")),
                1 << 16)),
        request.aggregations());
  }

  @Test
  void translatesWhatTakesSeveralPasses() {
    SearchRequest request =
        request(
            ("{'collapse':{'field':'kind'},'aggs':{'a':{'terms':{'field':'kind','size':5},"
                    + "'aggs':{'b':{'sum':{'field':'size'}}}},"
                    + "'c':{'auto_date_histogram':{'field':'day','buckets':20}},"
                    + "'d':{'multi_terms':{'terms':[{'field':'kind'},{'field':'size'}]}},"
                    + "'e':{'composite':{'size':3,'sources':[{'k':{'terms':{'field':'kind'}}}]}},"
                    + "'f':{'top_metrics':{'metrics':{'field':'size'},'sort':{'day':'desc'}}}}}")
                .replace('\'', '"'));
    assertNull(request.otherWork());
    assertEquals(CombinedField.keywords("kind"), request.collapse());
    assertEquals(
        List.of(
            Aggregation.inside(Aggregation.terms("kind", 5), Aggregation.stats("size")),
            Aggregation.autoDates("day", 20),
            Aggregation.combinations(
                10, CombinedField.keywords("kind"), CombinedField.numbers("size")),
            Aggregation.combinationsByKey(3, null, CombinedField.keywords("kind")),
            Aggregation.topMetrics(
                new TypedField("day", TypedField.Type.DATE).sortField(true), 1, "size")),
        request.aggregations());
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "{'aggs':{'a':{'sum':{'field':'size'},'aggs':{'b':{'sum':{'field':'size'}}}}}} => no"
            + " buckets",
        "{'aggs':{'a':{'terms':{'field':'kind'},'aggs':{'b':{'geo_centroid':{}}}}}} =>"
            + " geo_centroid",
        "{'aggs':{'a':{'auto_date_histogram':{'field':'day','time_zone':'+01:00'}}}} => UTC",
        "{'aggs':{'a':{'composite':{'sources':[{'k':{'histogram':{'field':'size'}}}]}}}} =>"
            + " composite",
        "{'aggs':{'a':{'composite':{'sources':[],'after':{'k':1}}}}} => after a key",
        "{'aggs':{'a':{'date_histogram':{'field':'day','calendar_interval':'age'}}}} => calendar"
            + " (age)",
        "{'aggs':{'a':{'date_histogram':{'field':'day','fixed_interval':'1h','time_zone':'+01:00'}}}}"
            + " => parts of days",
        "{'collapse':{'field':'kind','inner_hits':{}}} => \"collapse\"",
        "{'collapse':{'field':'kind'},'sort':[{'size':'asc'}]} => \"collapse\"",
        "{'rescore':{}} => \"rescore\"",
      })
  void saysWhatElseIsWanted(String json, String work) {
    String said = request(json.replace('\'', '"')).otherWork();
    assertTrue(said.contains(work), said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "{'query':{'script_score':{}}} => \"script_score\"",
        "{'query':{'range':{'other':{'gte':1}}}} => \"other\" is no typed field",
        "{'sort':[{'other':'asc'}]} => \"other\" is no typed field",
        "{'query':{'match':{'body':{'query':'x','fuzziness':1}}}} => fuzziness",
        "{'query':{'geo_distance':{'distance':'1km','size':'1,2'}}} => with points",
        "{'query':{'geo_bounding_box':{'place':{'wkt':''}}}} => \"top_left\"",
        "{'query':{'range':{'place':{'gte':1}}}} => \"place\" is no typed field",
        "{'sort':[{'_geo_distance':{'place':'1,2','order':'desc'}}]} => from the nearest on",
      })
  void countsWhatItCannotTranslate(String json, String reason) {
    LoggedRequest line =
        parse("{\"name\":\"n\",\"count\":4,\"body\":" + json.replace('\'', '"') + "}");
    assertNull(line.request());
    assertEquals("n", line.name());
    assertEquals(4, line.count());
    assertTrue(line.untranslated().contains(reason), line.untranslated());
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "{'query':{'match':{}}} => query \"match\" needs an object with one field",
        "{'query':{'term':{'body':{}}}} => needs \"value\"",
        "{'query':{'term':{'size':'x'}}} => needs an integer, not 'x'",
        "{'query':{'query_string':{'query':'place:[1,2 TO *]'}}} => both ends of a box",
        "{'query':{'terms':{'place':['5']}}} => needs points such as",
        "{'query':{'geo_distance':{'distance':'1 yd','place':'1,2'}}} => needs points such as",
        "{'query':{'geo_distance':{'distance':'1km','place':'91,2'}}} => invalid latitude",
        "{'query':{'geo_distance':{'distance':'1km'}}} => needs a field",
        "{'query':{'geo_polygon':{'place':{}}}} => needs \"points\"",
        "{'query':{'geo_polygon':{'place':{'points':['1,2','3,4']}}}} => at least 4 polygon points",
        "{'query':{}} => a query needs an object with one field",
        "{'query' => not JSON",
        "{'body':{},'count':0} => \"count\" must be a whole number of at least 1",
        "{'search_after':[1]} => \"search_after\" needs a value for each key",
        "{'aggs':{'a':{'date_histogram':{'field':'day','fixed_interval':'1y'}}}} => fixed_interval",
        "+(x => log:7",
      })
  void namesLineAndReason(String json, String reason) {
    LoggedRequest line = parse(json.replace('\'', '"'));
    assertEquals(LoggedRequest.WRONG_SYNTAX, line.untranslated());
    assertNull(line.request());
    assertTrue(line.origin().startsWith("log:7"), line.origin());
    assertTrue(line.origin().contains(reason), line.origin());
  }

  @Test
  void readsBothKindsOfLines(@TempDir Path temp) throws Exception {
    Path file =
        Files.writeString(
            temp.resolve("log"), "# comment\n+a -b\n\n{\"query\":{\"term\":{\"body\":\"a\"}}}\n");
    List<LoggedRequest> log = new RequestLog(FIELDS).read(file);
    assertEquals("+body:a -body:b", log.get(0).request().query().toString());
    assertEquals(file + ":4", log.get(1).origin());
    assertEquals("body:a", log.get(1).request().query().toString());
  }
}
