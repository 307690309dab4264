package dev.grapevine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which room may know which. */
@AnalyzeClasses(packages = "dev.grapevine", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule noTwoPackagesKnowEachOther =
      slices().matching("dev.grapevine.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule theEngineKnowsNoNodes =
      noClasses()
          .that()
          .resideInAPackage("dev.grapevine.engine..")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              "dev.grapevine.engine..", "java..", "jdk..", "org.jspecify..", "tools.jackson..");

  @ArchTest
  static final ArchRule onlyTheEnginesKernelsKnowTheVectorApi =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.grapevine.engine.kernel..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jdk.incubator.vector..");

  @ArchTest
  static final ArchRule onlyTheTopKnowsExperiments =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.grapevine.experiment..",
              "dev.grapevine.launch..",
              "dev.grapevine.results..",
              "dev.grapevine.app..",
              "dev.grapevine.benchmarks..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.grapevine.experiment..");

  @ArchTest
  static final ArchRule onlyTheTopKnowsRuntimes =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.grapevine.runtime..",
              "dev.grapevine.checkpoint..",
              "dev.grapevine.experiment..",
              "dev.grapevine.cluster..",
              "dev.grapevine.launch..",
              "dev.grapevine.results..",
              "dev.grapevine.app..",
              "dev.grapevine.benchmarks..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.grapevine.runtime..");

  @ArchTest
  static final ArchRule protocolsKnowNodesSharingAndTopology =
      noClasses()
          .that()
          .resideInAPackage("dev.grapevine.protocol..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.grapevine.network..", "dev.grapevine.data..", "dev.grapevine.results..");

  @ArchTest
  static final ArchRule sharingKnowsNoProtocols =
      noClasses()
          .that()
          .resideInAPackage("dev.grapevine.sharing..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.grapevine.protocol..",
              "dev.grapevine.node..",
              "dev.grapevine.network..",
              "dev.grapevine.data..",
              "dev.grapevine.results..");

  @ArchTest
  static final ArchRule compressionKnowsMessagesOnly =
      noClasses()
          .that()
          .resideInAPackage("dev.grapevine.compression..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.grapevine.sharing..",
              "dev.grapevine.protocol..",
              "dev.grapevine.node..",
              "dev.grapevine.network..",
              "dev.grapevine.topology..",
              "dev.grapevine.data..",
              "dev.grapevine.learning..");

  @ArchTest
  static final ArchRule topologiesKnowNobody =
      noClasses()
          .that()
          .resideInAPackage("dev.grapevine.topology..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.grapevine.sharing..",
              "dev.grapevine.protocol..",
              "dev.grapevine.node..",
              "dev.grapevine.network..",
              "dev.grapevine.data..",
              "dev.grapevine.learning..");

  @ArchTest
  static final ArchRule randomnessKnowsNobody =
      noClasses()
          .that()
          .resideInAPackage("dev.grapevine.random..")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages("dev.grapevine.random..", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule settingsKnowNobody =
      noClasses()
          .that()
          .resideInAPackage("dev.grapevine.settings..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.grapevine.sharing..",
              "dev.grapevine.protocol..",
              "dev.grapevine.node..",
              "dev.grapevine.network..",
              "dev.grapevine.topology..",
              "dev.grapevine.data..",
              "dev.grapevine.learning..");

  @ArchTest
  static final ArchRule onlyTheBinderAndRecordedRunsKnowTheTomlLibrary =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.grapevine.settings..", "dev.grapevine.results..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.tomlj..");

  private static final String[] ALGORITHMS = {
    "dev.grapevine.protocol..", "dev.grapevine.sharing..", "dev.grapevine.topology.."
  };

  @ArchTest
  static final ArchRule algorithmsTouchNoClock =
      noClasses()
          .that()
          .resideInAnyPackage(ALGORITHMS)
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.time.Clock")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.time.Instant");

  @ArchTest
  static final ArchRule algorithmsTouchNoThreads =
      noClasses()
          .that()
          .resideInAnyPackage(ALGORITHMS)
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.lang.Thread")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.concurrent\\..*(Executor|Future|Pool).*");

  @ArchTest
  static final ArchRule algorithmsTouchNoGlobalRandomness =
      noClasses()
          .that()
          .resideInAnyPackage(ALGORITHMS)
          .should()
          .callMethod(Math.class, "random")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.security.SecureRandom")
          .orShould()
          .callConstructor(java.util.Random.class);

  @ArchTest
  static final ArchRule algorithmsTouchNoSockets =
      noClasses()
          .that()
          .resideInAnyPackage(ALGORITHMS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.net..", "java.nio.channels..");
}
