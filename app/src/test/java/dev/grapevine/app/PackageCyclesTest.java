package dev.grapevine.app;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Dependencies between packages point one way, in every module below this one and in this one. */
@AnalyzeClasses(packages = "dev.grapevine", importOptions = ImportOption.DoNotIncludeTests.class)
class PackageCyclesTest {

  @ArchTest
  static final ArchRule noPackagesKnowEachOther =
      slices().matching("dev.grapevine.(**)").should().beFreeOfCycles();
}
