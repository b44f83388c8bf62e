/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.settings;

import org.luceneoffload.opensearch.codec.OpenSearchOffloadCodec;
import org.luceneoffload.opensearch.store.OffloadStore;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexModule;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.shard.IndexSettingProvider;

/** An index that is to have images gets the store type that has a place for them. */
public final class StoreTypeProvider implements IndexSettingProvider {
  @Override
  public Settings getAdditionalIndexSettings(
      String indexName, boolean isDataStreamIndex, Settings requested) {
    boolean wanted =
        requested
                .get(EngineConfig.INDEX_CODEC_SETTING.getKey(), "")
                .equals(OpenSearchOffloadCodec.ALIAS)
            || requested.getAsBoolean(IndexOffload.WRAP_CODEC.getKey(), false);
    String storeType = IndexModule.INDEX_STORE_TYPE_SETTING.getKey();
    return wanted && !requested.hasValue(storeType)
        ? Settings.builder().put(storeType, OffloadStore.TYPE).build()
        : Settings.EMPTY;
  }
}
