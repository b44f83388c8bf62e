/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.luceneoffload.opensearch.action.StatsAction;
import org.luceneoffload.opensearch.action.TransportStats;
import org.luceneoffload.opensearch.action.TransportUpkeep;
import org.luceneoffload.opensearch.action.UpkeepAction;
import org.luceneoffload.opensearch.codec.OffloadCodecs;
import org.luceneoffload.opensearch.query.OffloadQueryPhase;
import org.luceneoffload.opensearch.query.QueryWrapper;
import org.luceneoffload.opensearch.query.ShardReaders;
import org.luceneoffload.opensearch.query.SlowLogHint;
import org.luceneoffload.opensearch.report.RequestCounts;
import org.luceneoffload.opensearch.rest.RestCatOffload;
import org.luceneoffload.opensearch.rest.RestStats;
import org.luceneoffload.opensearch.rest.RestUpkeep;
import org.luceneoffload.opensearch.settings.Images;
import org.luceneoffload.opensearch.settings.IndexOffload;
import org.luceneoffload.opensearch.settings.InstalledPlugins;
import org.luceneoffload.opensearch.settings.NodeSettings;
import org.luceneoffload.opensearch.settings.StoreTypeProvider;
import org.luceneoffload.opensearch.store.OffloadStore;
import org.luceneoffload.opensearch.upkeep.ShardUpkeep;
import org.opensearch.action.ActionRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.index.Index;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.codec.AdditionalCodecs;
import org.opensearch.index.codec.CodecServiceFactory;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.index.shard.IndexSettingProvider;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.cluster.IndicesClusterStateService.AllocatedIndices.IndexRemovalReason;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.EnginePlugin;
import org.opensearch.plugins.IndexStorePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.plugins.TelemetryAwarePlugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.script.ScriptService;
import org.opensearch.search.query.QueryPhaseSearcher;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.tracing.Tracer;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/** Offload in the shards of OpenSearch: same responses, found next to the posting lists. */
public final class OffloadPlugin extends Plugin
    implements EnginePlugin, IndexStorePlugin, SearchPlugin, ActionPlugin, TelemetryAwarePlugin {
  private static final Logger LOG = LogManager.getLogger(OffloadPlugin.class);

  private final NodeSettings node;
  private final RequestCounts requests = new RequestCounts();

  /** What is set for the indexes that are open here. */
  private final Map<Index, IndexOffload> open = new ConcurrentHashMap<>();

  /** The node's threads; null until its services are made, before any index. */
  private volatile ThreadPool threads;

  /**
   * For a node.
   *
   * @param config its folder of configuration
   */
  public OffloadPlugin(Settings settings, Path config) {
    String other = null;
    if (!NodeSettings.QUERY_PHASE.exists(settings)) {
      Path plugins = new Environment(settings, config).pluginsDir();
      other = new InstalledPlugins(plugins).withQueryPhase(OffloadPlugin.class);
    }
    if (other != null) {
      LOG.info(
          "plugin [{}] brings the node's query phase: the search listener hands queries to the"
              + " device, and sorts and aggregations are the node's work ({})",
          other,
          NodeSettings.QUERY_PHASE.getKey());
    }
    node = NodeSettings.of(settings, other == null);
    ShardReaders.makeKnown();
  }

  @Override
  public List<Setting<?>> getSettings() {
    List<Setting<?>> all = new ArrayList<>(NodeSettings.all());
    all.addAll(IndexOffload.all());
    return all;
  }

  @Override
  public Collection<Object> createComponents(
      Client client,
      ClusterService clusterService,
      ThreadPool threads,
      ResourceWatcherService watcher,
      ScriptService scripts,
      NamedXContentRegistry contents,
      Environment environment,
      NodeEnvironment nodeEnvironment,
      NamedWriteableRegistry writeables,
      IndexNameExpressionResolver resolver,
      Supplier<RepositoriesService> repositories,
      Tracer tracer,
      MetricsRegistry metrics) {
    requests.publish(metrics);
    this.threads = threads;
    return List.of(requests);
  }

  @Override
  public Collection<IndexSettingProvider> getAdditionalIndexSettingProviders() {
    return List.of(new StoreTypeProvider());
  }

  @Override
  public Map<String, DirectoryFactory> getDirectoryFactories() {
    return Map.of(OffloadStore.TYPE, new OffloadStore(node, this::offload));
  }

  @Override
  public Optional<AdditionalCodecs> getAdditionalCodecs(IndexSettings index) {
    return Optional.of(new OffloadCodecs(this::offload));
  }

  @Override
  public Optional<CodecServiceFactory> getCustomCodecServiceFactory(IndexSettings index) {
    return IndexOffload.WRAP_CODEC.get(index.getSettings())
        ? Optional.of(new OffloadCodecs(this::offload)::wrapped)
        : Optional.empty();
  }

  @Override
  public Optional<QueryPhaseSearcher> getQueryPhaseSearcher() {
    return node.queryPhase() ? Optional.of(new OffloadQueryPhase()) : Optional.empty();
  }

  @Override
  public List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> getActions() {
    return List.of(
        new ActionHandler<>(StatsAction.INSTANCE, TransportStats.class),
        new ActionHandler<>(UpkeepAction.INSTANCE, TransportUpkeep.class));
  }

  @Override
  public List<RestHandler> getRestHandlers(
      Settings settings,
      RestController controller,
      ClusterSettings clusterSettings,
      IndexScopedSettings indexSettings,
      SettingsFilter filter,
      IndexNameExpressionResolver resolver,
      Supplier<DiscoveryNodes> nodes) {
    List<RestHandler> handlers = new ArrayList<>(RestUpkeep.all());
    handlers.add(new RestStats());
    handlers.add(new RestCatOffload());
    return handlers;
  }

  @Override
  public void onIndexModule(IndexModule module) {
    if (!OffloadStore.TYPE.equals(IndexModule.INDEX_STORE_TYPE_SETTING.get(module.getSettings()))) {
      return;
    }
    IndexOffload offload = IndexOffload.of(module);
    open.put(module.getIndex(), offload);
    module.addSearchOperationListener(
        new QueryWrapper(offload, requests, new SlowLogHint(module), node.queryPhase()));
    module.addIndexEventListener(
        new IndexEventListener() {
          @Override
          public void afterIndexShardStarted(IndexShard shard) {
            boolean all = offload.images() == Images.ALL;
            boolean linked = offload.images() == Images.WRITTEN && isOfAnother(module);
            if (all || linked) {
              threads
                  .executor(ThreadPool.Names.FORCE_MERGE)
                  .execute(() -> ShardUpkeep.afterStart(shard, all));
            }
          }

          @Override
          public void afterIndexRemoved(
              Index index, IndexSettings settings, IndexRemovalReason reason) {
            open.remove(index, offload);
          }
        });
  }

  /** Returns whether the index was split, shrunk or cloned off another. */
  private static boolean isOfAnother(IndexModule module) {
    return module.getSettings().hasValue(IndexMetadata.INDEX_RESIZE_SOURCE_UUID_KEY);
  }

  private IndexOffload offload(IndexSettings index) {
    IndexOffload known = open.get(index.getIndex());
    return known != null ? known : IndexOffload.of(index.getSettings());
  }
}
