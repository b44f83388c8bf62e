/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes a method of a facet that may wait for the device; such a one throws IOException. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface FacetCall {
  /** Returns what the method does, for messages. */
  String value();

  /**
   * Returns the name of the method that gives back what this one took, called with this one's first
   * argument if no caller waits any more when it ends; empty if there is nothing to give back.
   */
  String undo() default "";
}
