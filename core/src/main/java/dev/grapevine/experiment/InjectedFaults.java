package dev.grapevine.experiment;

import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import java.util.List;

/** What the table {@code [faults]} makes go wrong on purpose. */
public record InjectedFaults(
    @Default("[]") @Doc("faults on purpose, such as {fault = \"throws\", node = 3, from-round = 5}")
        List<InjectedFault> inject) {}
