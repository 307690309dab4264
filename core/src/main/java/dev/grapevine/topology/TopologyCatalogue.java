package dev.grapevine.topology;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The topologies that come with Grapevine. */
public final class TopologyCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Topology.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        RandomRegular.class,
        Ring.class,
        DirectedRing.class,
        FullyConnected.class,
        Star.class,
        Chain.class,
        Tree.class,
        DoubleBinaryTree.class,
        Bipartite.class,
        Grid.class,
        Torus.class,
        Hypercube.class,
        Exponential.class,
        DirectedExponential.class,
        OnePeerExponential.class,
        BaseK.class,
        Matcha.class,
        ErdosRenyi.class,
        SmallWorld.class,
        RandomOut.class,
        FileTopology.class);
  }
}
