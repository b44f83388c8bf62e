/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Which package may use which, checked over the compiled classes. */
package org.luceneoffload.architecture;
