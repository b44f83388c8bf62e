/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Key files for tests. */
public final class CsdKeys {
  /** A host. */
  public static final String HOST =
      "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-0000-0000-000000000001";

  /** Its secret. */
  public static final String SECRET = "DHHC-1:01:G55n6bhjgMLfRILNme5aONB+GcEl/ZHwk9tqnFRoDhvSaqvc:";

  /** Another host's. */
  public static final String OTHER_SECRET =
      "DHHC-1:01:ochi59xCNLIBIv9yZUKUEv6+VhoigrofC8vel9vPr7VUG9hA:";

  /** A controller's. */
  public static final String CONTROLLER =
      "DHHC-1:02:pd5IdvyZ1xVhbjCyVqJODBTd1ERUz0sUH1gC2w2uEM4naO46thMTQ0VI6/8QDxDZ8E8NxQ==:";

  /** A key of TLS. */
  public static final String TLS_KEY =
      "NVMeTLSkey-1:01:WO1kJpK8ADI6xFh2u4riyaYng4wXuMN9ww1fk2/a+x3RyH2q:";

  /** Another one, with SHA-384. */
  public static final String OTHER_TLS_KEY =
      "NVMeTLSkey-1:02:S305HpnaixMErExtzNN5dI4IlZ1DUKmQ2U8vigWQxz/0GUKn2Xpq5rV3z5Nr2FpXIFatZQ==:";

  private CsdKeys() {}

  /** Writes one line of words into a file of its owner alone. Returns the file. */
  public static Path write(Path file, String... words) throws IOException {
    Files.writeString(file, String.join(" ", words) + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
