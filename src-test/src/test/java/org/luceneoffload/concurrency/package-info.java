/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Many threads, readers and directories over one device; locks; what is left at the end. */
package org.luceneoffload.concurrency;
