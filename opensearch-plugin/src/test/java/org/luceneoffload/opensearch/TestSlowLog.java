/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.cluster.SharedCluster;
import org.luceneoffload.opensearch.requests.RandomDocs;

/** The slow log says of each search in it what the device did. */
@ExtendWith(SharedCluster.class)
class TestSlowLog {
  private static final String MATCH = "\"query\":{\"match\":{\"body\":\"w1 w3\"}}";

  private final Rest rest = SharedCluster.rest(0);

  /** Keeps lines. */
  private static final class Lines extends AbstractAppender {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    Lines() {
      super("lines", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
    }
  }

  private String search(Lines lines, String body) throws IOException {
    lines.lines.clear();
    rest.ok("POST", "slow/_search?request_cache=false", "{" + body + "}");
    return String.join("\n", lines.lines);
  }

  private void threshold(String level, String time) throws IOException {
    String name = "index.search.slowlog.threshold.query." + level;
    rest.ok("PUT", "slow/_settings", "{\"" + name + "\":" + time + "}");
  }

  private static void assertSays(String what, String line) {
    assertTrue(line.contains(what), line);
  }

  @Test
  void saysWhatTheDeviceDid() throws IOException {
    Logger logger = (Logger) LogManager.getLogger("index.search.slowlog.offload");
    Lines lines = new Lines();
    lines.start();
    logger.addAppender(lines);
    try {
      rest.ok(
          "PUT",
          "slow",
          "{\"settings\":{\"codec\":\"offload\",\"number_of_shards\":1,"
              + "\"number_of_replicas\":0},\"mappings\":"
              + RandomDocs.mapping(false)
              + "}");
      rest.awaitGreen("slow");
      rest.ok("POST", "slow/_bulk?refresh=true", RandomDocs.bulk(new Random(5), 0, 50, false));
      assertEquals("", search(lines, MATCH));
      threshold("info", "\"0ms\"");
      assertSays("INFO [slow][0] took_millis[", search(lines, MATCH));
      assertSays("offload[device: hits]", search(lines, MATCH));
      assertSays("because of min_score", search(lines, "\"min_score\":0.1," + MATCH));
      assertSays("offload[stock: ", search(lines, "\"query\":{\"match_all\":{}}"));
      assertSays("terminate_after", search(lines, "\"terminate_after\":3," + MATCH));
      threshold("warn", "\"0ms\"");
      assertSays("WARN [slow][0]", search(lines, MATCH));
      threshold("warn", "\"1h\"");
      threshold("info", "null");
      assertEquals("", search(lines, MATCH));
    } finally {
      logger.removeAppender(lines);
      lines.stop();
      rest.ok("DELETE", "slow", null);
    }
  }
}
