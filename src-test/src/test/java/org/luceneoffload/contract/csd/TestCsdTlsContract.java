/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract.csd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.luceneoffload.nvme.tcp.CsdKeys;
import org.luceneoffload.nvme.tcp.CsdTarget;

/** A storage node over TLS. */
class TestCsdTlsContract extends TestCsdDeviceContract {
  private Path keys;

  @BeforeAll
  static void isThere() {
    assumeTrue(CsdTarget.says("TLS 1.3"), "csd-target was built without OpenSSL");
  }

  @Override
  public List<String> nodeOptions(Path home) throws IOException {
    keys = CsdKeys.write(home.resolve("keys"), CsdKeys.HOST, CsdKeys.TLS_KEY);
    return List.of("--tls-key-file", keys.toString());
  }

  @Override
  public String options() {
    return super.options() + ",tls-key-file=" + keys;
  }
}
