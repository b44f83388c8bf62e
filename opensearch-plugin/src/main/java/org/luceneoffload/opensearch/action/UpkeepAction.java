/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.action;

import org.opensearch.action.ActionType;

/** Images of existing indexes: imported, repaired, detached. */
public final class UpkeepAction extends ActionType<UpkeepResponse> {
  /** The one. */
  public static final UpkeepAction INSTANCE = new UpkeepAction();

  private UpkeepAction() {
    super("indices:admin/offload/upkeep", UpkeepResponse::new);
  }
}
