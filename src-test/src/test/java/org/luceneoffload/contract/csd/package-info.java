/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Contracts on storage nodes, over an NVMe/TCP host of our own. */
package org.luceneoffload.contract.csd;
