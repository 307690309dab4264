package dev.grapevine.experiment;

import dev.grapevine.runtime.churn.Churn;
import dev.grapevine.runtime.churn.ChurnContext;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;

/** When the table {@code [faults]} lets nodes go down and come back. */
public record ChurnSettings(
    @Doc("when nodes go down and come back, as a table [faults.churn]; see docs/failures.md")
        @Default("none")
        Choice<ChurnContext, Churn> churn) {}
