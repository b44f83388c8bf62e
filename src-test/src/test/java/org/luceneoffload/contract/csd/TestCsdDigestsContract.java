/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract.csd;

/** A storage node with digests of headers and data, over one connection. */
class TestCsdDigestsContract extends TestCsdDeviceContract {
  @Override
  public String options() {
    return super.options() + ",digests=both,connections=1,spin=0";
  }
}
