package dev.grapevine.protocol;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The protocols. */
public final class ProtocolCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Protocol.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        DPsgd.class,
        NoCommunication.class,
        PeerSampling.class,
        EpidemicOracle.class,
        EpidemicLocal.class,
        FederatedLearning.class,
        ParameterServer.class,
        SparseTernary.class,
        AdPsgd.class,
        GossipLearning.class,
        RandomWalk.class,
        DynamicGraph.class,
        KnnOverlay.class,
        PushSum.class,
        D2.class,
        GradientTracking.class,
        AllReduce.class,
        ExactDiffusion.class,
        Nids.class,
        Extra.class,
        QuasiGlobalMomentum.class,
        DecentLam.class,
        KGradientTracking.class,
        Scaffold.class,
        FedOpt.class,
        Beer.class,
        GtHsgd.class,
        DFedSam.class,
        RelaySgd.class,
        OverlapSgp.class,
        Swift.class,
        DivShare.class,
        Shatter.class,
        NeighbourhoodGradientClustering.class);
  }
}
