/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.action;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.opensearch.settings.Images;
import org.luceneoffload.opensearch.settings.IndexOffload;
import org.luceneoffload.opensearch.store.OffloadStore;
import org.luceneoffload.opensearch.upkeep.ShardReport;
import org.luceneoffload.opensearch.upkeep.ShardUpkeep;
import org.opensearch.action.admin.indices.settings.put.UpdateSettingsRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.broadcast.node.TransportBroadcastByNodeAction;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.ShardsIterator;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.support.DefaultShardOperationFailedException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.index.IndexModule;
import org.opensearch.indices.IndicesService;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/**
 * Sets the indexes to what is asked for, so that it holds for shards that move or are copied, and
 * then has it done in every copy of every shard. A node does so one shard at a time, on the thread
 * that merges segments by request.
 */
public final class TransportUpkeep
    extends TransportBroadcastByNodeAction<UpkeepRequest, UpkeepResponse, ShardReport> {
  private final ClusterService cluster;
  private final IndexNameExpressionResolver resolver;
  private final IndicesService indices;
  private final Client client;

  /** For a node. */
  @Inject
  public TransportUpkeep(
      ClusterService cluster,
      TransportService transport,
      IndicesService indices,
      Client client,
      ActionFilters filters,
      IndexNameExpressionResolver resolver) {
    super(
        UpkeepAction.INSTANCE.name(),
        cluster,
        transport,
        filters,
        resolver,
        UpkeepRequest::new,
        ThreadPool.Names.FORCE_MERGE);
    this.cluster = cluster;
    this.resolver = resolver;
    this.indices = indices;
    this.client = client;
  }

  @Override
  protected void doExecute(
      Task task, UpkeepRequest request, ActionListener<UpkeepResponse> listener) {
    ClusterState state = cluster.state();
    List<String> wrong = new ArrayList<>();
    List<String> toBeSet = new ArrayList<>();
    Images images = request.operation().images();
    for (String name : resolver.concreteIndexNames(state, request)) {
      Settings settings = state.metadata().index(name).getSettings();
      if (!hasPlace(settings)) {
        wrong.add(name);
      } else if (IndexOffload.IMAGES.get(settings) != images) {
        toBeSet.add(name);
      }
    }
    // Patterns take the indexes that have a place for images; whoever names one means it.
    for (String name : wrong) {
      if (List.of(request.indices()).contains(name)) {
        throw new IllegalArgumentException(noPlace(name));
      }
    }
    if (toBeSet.isEmpty()) {
      super.doExecute(task, request, listener);
      return;
    }
    Settings settings =
        Settings.builder().put(IndexOffload.IMAGES.getKey(), images.settingName()).build();
    client
        .admin()
        .indices()
        .updateSettings(
            new UpdateSettingsRequest(settings, toBeSet.toArray(new String[0])),
            ActionListener.wrap(
                done -> super.doExecute(task, request, listener), listener::onFailure));
  }

  private static boolean hasPlace(Settings settings) {
    return OffloadStore.TYPE.equals(IndexModule.INDEX_STORE_TYPE_SETTING.get(settings));
  }

  private static String noPlace(String name) {
    return "index ["
        + name
        + "] has no place for images: close it, set [index.store.type] to offload, and open it";
  }

  @Override
  protected ShardsIterator shards(ClusterState state, UpkeepRequest request, String[] names) {
    List<String> ours = new ArrayList<>();
    for (String name : names) {
      IndexMetadata index = state.metadata().index(name);
      if (hasPlace(index.getSettings())) {
        ours.add(name);
      }
    }
    return state.routingTable().allShards(ours.toArray(new String[0]));
  }

  @Override
  protected ShardReport shardOperation(UpkeepRequest request, ShardRouting routing)
      throws IOException {
    return ShardUpkeep.run(
        indices.indexServiceSafe(routing.shardId().getIndex()).getShard(routing.shardId().id()),
        request.operation());
  }

  @Override
  protected ShardReport readShardResult(StreamInput in) throws IOException {
    return ShardReport.read(in);
  }

  @Override
  protected UpkeepRequest readRequestFrom(StreamInput in) throws IOException {
    return new UpkeepRequest(in);
  }

  @Override
  protected UpkeepResponse newResponse(
      UpkeepRequest request,
      int total,
      int successful,
      int failed,
      List<ShardReport> results,
      List<DefaultShardOperationFailedException> failures,
      ClusterState state) {
    return new UpkeepResponse(total, successful, failed, failures, results);
  }

  @Override
  protected ClusterBlockException checkGlobalBlock(ClusterState state, UpkeepRequest request) {
    return state.blocks().globalBlockedException(ClusterBlockLevel.METADATA_WRITE);
  }

  @Override
  protected ClusterBlockException checkRequestBlock(
      ClusterState state, UpkeepRequest request, String[] names) {
    return state.blocks().indicesBlockedException(ClusterBlockLevel.METADATA_WRITE, names);
  }
}
