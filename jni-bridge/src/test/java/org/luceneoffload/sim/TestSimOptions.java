/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The part of a device name after {@code sim:}. */
class TestSimOptions {
  private static final Path HOME = Path.of("/home/of/index");

  @Test
  void nothingMeansTheDefaults() {
    assertEquals(
        new SimOptions(
            HOME.resolve("offload.vol"), 0, 0, 0, 0, false, false, 0, 0, 0, 0, 0, 0, 0, null),
        SimOptions.parse("", HOME));
  }

  @Test
  void everyKey() {
    assertEquals(
        new SimOptions(
            Path.of("/elsewhere/a=b"),
            64L << 30,
            3 << 20,
            64 << 20,
            17,
            true,
            true,
            50 << 20,
            7,
            3,
            1000,
            40,
            5,
            25,
            "pcie5-csd"),
        SimOptions.parse(
            "capacity=64g,dram=3M,index=64m,sessions=17,readonly=true,direct=true,rate=50m,slow=7,"
                + "store=/elsewhere/a=b,threads=3,budget=1000,window=40,queue=5,raw=25,profile=pcie5-csd",
            HOME));
  }

  @ParameterizedTest
  @CsvSource({"4096,4096", "8k,8192", "3m,3145728", "2G,2147483648", "1t,1099511627776"})
  void sizes(String text, long bytes) {
    assertEquals(bytes, SimOptions.parse("capacity=" + text, HOME).capacityBytes());
  }

  @Test
  void aRelativeStoreIsInTheHome() {
    assertEquals(HOME.resolve("my.vol"), SimOptions.parse("store=my.vol", HOME).store());
  }

  /** Malformed names, and the word that the message must contain. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "capacty=1g                   | 'capacty'",
        "raw=101                      | 'raw'",
        "slow=0                       | 'slow'",
        "slow=1001                    | 'slow'",
        "queue=0                      | 'queue'",
        "budget=0                     | 'budget'",
        "window=0                     | 'window'",
        "Capacity=1g                  | 'Capacity'",
        "=1                           | ''",
        "dram=                        | 'dram'",
        "index=0                      | malformed value '0'",
        "dram=k                       | malformed value 'k'",
        "dram=-1                      | malformed value '-1'",
        "dram=0                       | malformed value '0'",
        "dram=1.5g                    | malformed value '1.5g'",
        "dram=1gb                     | malformed value '1gb'",
        "dram=9999999t                | malformed value '9999999t'",
        "dram=99999999999999999999    | malformed value '99999999999999999999'",
        "sessions=0                   | 'sessions'",
        "sessions=65536               | malformed value '65536'",
        "sessions=1k                  | malformed value '1k'",
        "threads=0                    | malformed value '0'",
        "threads=65                   | malformed value '65'",
        "readonly=yes                 | malformed value 'yes'",
        "direct=1                     | malformed value '1'",
        "store=                       | 'store'",
        "capacity=4097                | multiple of 4096",
        "dram=1g,dram=2g              | 'dram' is given twice",
        "dram=1g,,readonly=true       | empty option",
        "smartssd                     | 'smartssd' has no value (a profile is named by",
        "profile=smartssd             | unknown profile 'smartssd'",
        "profile=                     | unknown profile ''",
      })
  void refusals(String rest, String word) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> SimOptions.parse(rest, HOME));
    assertTrue(e.getMessage().contains(word), e.getMessage());
  }
}
