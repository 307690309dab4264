package dev.grapevine.app.completion;

import dev.grapevine.app.Subcommand;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script that teaches a shell to complete commands, options and files. */
@Command(
    name = "completion",
    description = "Print what makes bash, zsh or fish complete commands and options.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "bash:  ./grapevine completion bash > ~/.grapevine.bash",
      "       echo 'source ~/.grapevine.bash' >> ~/.bashrc",
      "zsh:   ./grapevine completion zsh > ~/.grapevine.zsh",
      "       echo 'source ~/.grapevine.zsh' >> ~/.zshrc",
      "fish:  ./grapevine completion fish > ~/.config/fish/completions/grapevine.fish"
    })
public final class CompletionCommand implements Subcommand, Callable<Integer> {

  /** Shells that can be taught. */
  enum Shell {
    BASH,
    ZSH,
    FISH
  }

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
  private Shell shell;

  @Override
  public boolean looksAtOthers() {
    return true;
  }

  @Override
  public Integer call() {
    CommandLine all = spec.commandLine().getParent();
    String name = all.getCommandName();
    String script =
        switch (shell) {
          case BASH -> AutoComplete.bash(name, all);
          case ZSH ->
              "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
                  + AutoComplete.bash(name, all);
          case FISH -> FishScript.of(all);
        };
    spec.commandLine().getOut().print(script);
    spec.commandLine().getOut().flush();
    return 0;
  }
}
