package dev.grapevine.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.settings.KindDescription;
import dev.grapevine.settings.Registry;
import dev.grapevine.settings.SettingDescription;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The data table holds the settings of the set, of the partitioner and its own side by side. */
class CataloguesTest {

  private static final Registry REGISTRY = Registry.load();

  @Test
  void settingsOfSetsAndPartitionersNeverClash() {
    List<SettingDescription> ofTable = SettingDescription.of(DataSettings.class);
    for (KindDescription<DataContext, DataSource> set : REGISTRY.kinds(DataSource.FAMILY)) {
      for (KindDescription<DataContext, Partitioner> deal : REGISTRY.kinds(Partitioner.FAMILY)) {
        List<String> keys = new ArrayList<>(List.of("set", "partition"));
        ofTable.forEach(setting -> keys.add(setting.key()));
        set.settings().forEach(setting -> keys.add(setting.key()));
        deal.settings().forEach(setting -> keys.add(setting.key()));
        assertThat(keys).as("%s with %s", set.name(), deal.name()).doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void everySetSaysOnWhatTermsItIsToBeHad() {
    assertThat(REGISTRY.kinds(DataSource.FAMILY))
        .hasSize(17)
        .allSatisfy(kind -> assertThat(kind.type()).hasAnnotation(Offer.class));
  }

  @Test
  void everySettingIsDocumented() {
    REGISTRY
        .kinds(DataSource.FAMILY)
        .forEach(kind -> assertThat(kind.settings()).allSatisfy(CataloguesTest::requireDoc));
    REGISTRY
        .kinds(Partitioner.FAMILY)
        .forEach(kind -> assertThat(kind.settings()).allSatisfy(CataloguesTest::requireDoc));
  }

  private static void requireDoc(SettingDescription setting) {
    assertThat(setting.doc()).as(setting.key()).isNotBlank();
  }
}
