package dev.grapevine.sharing;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import dev.grapevine.sharing.difference.Choco;
import dev.grapevine.sharing.difference.DcdPsgd;
import dev.grapevine.sharing.difference.DeepSqueeze;
import dev.grapevine.sharing.difference.EcdPsgd;
import dev.grapevine.sharing.difference.PowerGossip;
import dev.grapevine.sharing.difference.QsgdSharing;
import dev.grapevine.sharing.partial.Accumulation;
import dev.grapevine.sharing.partial.BoundedAccumulation;
import dev.grapevine.sharing.partial.FourierAccumulation;
import dev.grapevine.sharing.partial.Jwins;
import dev.grapevine.sharing.partial.JwinsPlusPlus;
import dev.grapevine.sharing.partial.NormalizedAccumulation;
import dev.grapevine.sharing.partial.RoundRobin;
import dev.grapevine.sharing.partial.Subsampling;
import dev.grapevine.sharing.partial.TopKChange;
import dev.grapevine.sharing.partial.TopKMagnitude;
import dev.grapevine.sharing.partial.WaveletAccumulation;
import java.util.List;

/** The sharing schemes that come with Grapevine. */
public final class SharingCatalogue implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Sharing.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        FullSharing.class,
        AverageSharing.class,
        Subsampling.class,
        RoundRobin.class,
        TopKMagnitude.class,
        TopKChange.class,
        Accumulation.class,
        NormalizedAccumulation.class,
        BoundedAccumulation.class,
        WaveletAccumulation.class,
        FourierAccumulation.class,
        Jwins.class,
        JwinsPlusPlus.class,
        Choco.class,
        DcdPsgd.class,
        EcdPsgd.class,
        DeepSqueeze.class,
        QsgdSharing.class,
        PowerGossip.class,
        DataSharing.class,
        NoSharing.class);
  }
}
