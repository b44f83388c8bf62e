/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.output.Json;

/**
 * Serves the page and its data on the loopback interface, to browsers of this machine. Pages of
 * others cannot read it: a request must name this server as its host, so that a name that was bound
 * to the loopback address does not pass, and no answer allows another origin.
 */
final class ExploreServer implements Closeable {
  private static final int THREADS = 4;
  private static final int MAX_URL_CHARS = 16_384;

  /** Scripts, styles and data come from here alone, and none stands in the page itself. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private static final String CHARTS = "/META-INF/resources/webjars/chart.js/4.4.1/";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";

  /** By path: a resource of this package or of a jar, and its type. */
  private static final Map<String, Resource> RESOURCES =
      Map.ofEntries(
          Map.entry("/", new Resource("explore.html", "text/html; charset=utf-8")),
          Map.entry("/explore.css", new Resource("explore.css", "text/css; charset=utf-8")),
          Map.entry("/explore.js", new Resource("explore.js", SCRIPT)),
          Map.entry("/charts.js", new Resource("charts.js", SCRIPT)),
          Map.entry("/completion.js", new Resource("completion.js", SCRIPT)),
          Map.entry("/dom.js", new Resource("dom.js", SCRIPT)),
          Map.entry("/facets.js", new Resource("facets.js", SCRIPT)),
          Map.entry("/hits.js", new Resource("hits.js", SCRIPT)),
          Map.entry("/plan.js", new Resource("plan.js", SCRIPT)),
          Map.entry("/chart.umd.js", new Resource(CHARTS + "dist/chart.umd.js", SCRIPT)),
          Map.entry("/chart-license.txt", new Resource(CHARTS + "LICENSE.md", TEXT)));

  private final ExploreIndex index;
  private final HttpServer server;
  private final ExecutorService threads;

  private record Resource(String name, String type) {}

  /** The answer to one request. */
  private record Reply(int status, String type, byte[] body) {}

  private ExploreServer(ExploreIndex index, HttpServer server) {
    this.index = index;
    this.server = server;
    threads = Executors.newFixedThreadPool(THREADS);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
  }

  /**
   * Starts to serve.
   *
   * @param port 0: any that is free
   * @throws Failure if the port cannot be had
   */
  static ExploreServer start(ExploreIndex index, int port) throws IOException {
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (BindException e) {
      throw Failure.of("--port " + port + ": " + e.getMessage(), e);
    }
    ExploreServer started = new ExploreServer(index, server);
    server.start();
    return started;
  }

  /** Returns the address of the page. */
  String url() {
    return "http://" + host() + "/";
  }

  private String host() {
    return server.getAddress().getAddress().getHostAddress() + ":" + port();
  }

  private int port() {
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Reply reply;
      try {
        check(exchange);
        reply = reply(exchange);
      } catch (RequestException e) {
        reply = problem(e.status(), e.getMessage());
      } catch (RuntimeException | Error e) {
        reply = problem(500, "internal error: " + e);
      }
      Headers headers = exchange.getResponseHeaders();
      headers.set("Content-Type", reply.type);
      headers.set("Content-Security-Policy", POLICY);
      headers.set("X-Content-Type-Options", "nosniff");
      headers.set("Referrer-Policy", "no-referrer");
      headers.set("Cross-Origin-Resource-Policy", "same-origin");
      headers.set("Cross-Origin-Opener-Policy", "same-origin");
      headers.set("Cache-Control", "no-store");
      boolean head = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(reply.status, head ? -1 : reply.body.length);
      if (!head) {
        exchange.getResponseBody().write(reply.body);
      }
    }
  }

  /** Refuses what no page of this server asks. */
  private void check(HttpExchange exchange) throws RequestException {
    Headers headers = exchange.getRequestHeaders();
    List<String> hosts = headers.getOrDefault("Host", List.of());
    if (hosts.size() != 1 || !List.of(host(), "localhost:" + port()).contains(hosts.getFirst())) {
      throw RequestException.of(403, "this server is " + host() + " and no other host");
    }
    String site = headers.getFirst("Sec-Fetch-Site");
    boolean data = exchange.getRequestURI().getPath().startsWith("/api/");
    if (data && site != null && !site.equals("same-origin") && !site.equals("none")) {
      throw RequestException.of(403, "another site asks");
    }
    if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
      exchange.getResponseHeaders().set("Allow", "GET, HEAD");
      throw RequestException.of(405, "GET is needed, not " + exchange.getRequestMethod());
    }
    String length = headers.getFirst("Content-Length");
    if (headers.containsKey("Transfer-Encoding") || length != null && !length.equals("0")) {
      throw RequestException.of(413, "no request has a body");
    }
    if (exchange.getRequestURI().toString().length() > MAX_URL_CHARS) {
      throw RequestException.of(414, "an address has at most " + MAX_URL_CHARS + " characters");
    }
  }

  private Reply reply(HttpExchange exchange) throws IOException, RequestException {
    String path = exchange.getRequestURI().getPath();
    Resource resource = RESOURCES.get(path);
    if (resource != null) {
      return new Reply(200, resource.type, bytes(resource.name));
    }
    if (path.equals("/api/index")) {
      return json(200, index.overview());
    }
    ExploreRequest request = ExploreRequest.parse(exchange.getRequestURI().getRawQuery());
    return switch (path) {
      case "/api/complete" -> json(200, index.complete(request));
      case "/api/search" -> json(200, index.search(request));
      case "/api/facets" -> json(200, index.facets(request));
      case "/api/model" -> json(200, index.model(request));
      default -> problem(404, "nothing is there");
    };
  }

  private static byte[] bytes(String resource) throws IOException {
    try (InputStream in = ExploreServer.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("missing from the tool: " + resource);
      }
      return in.readAllBytes();
    }
  }

  private static Reply json(int status, Object report) {
    return new Reply(status, JSON, Json.bytes(report));
  }

  private static Reply problem(int status, String message) {
    return json(status, new ExploreReport.Problem(message));
  }

  /** Closes all connections, and waits until nothing is asked of the index any more. */
  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
