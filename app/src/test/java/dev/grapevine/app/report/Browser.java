package dev.grapevine.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A headless Chromium; tests that need one are skipped where there is none. */
public final class Browser implements AutoCloseable {

  /** Whether a canvas shows more than a single colour. */
  private static final String CANVASES =
      """
      return [...document.querySelectorAll("canvas")].map((canvas) => {
        const pixels = new Uint32Array(
            canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return new Set(pixels).size;
      });
      """;

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts one with an empty profile in {@code folder}. */
  public static Browser start(Path folder) {
    Path chromium = find("chromium", "chromium-browser", "google-chrome");
    Path driver = find("chromedriver");
    Assumptions.assumeTrue(
        chromium != null && driver != null,
        "skipped: no chromium with chromedriver on the PATH (Debian: chromium, chromium-driver)");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1200,2600",
        "--user-data-dir=" + folder.resolve("profile"));
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(driver.toFile())
            .usingAnyFreePort()
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  private static Path find(String... names) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .flatMap(folder -> Arrays.stream(names).map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  public void open(String address) {
    driver.get(address);
  }

  public Object run(String script) {
    return driver.executeScript(script);
  }

  /** Runs the script until it gives something other than false or null. */
  public Object await(String script) {
    driver.manage().timeouts().scriptTimeout(Duration.ofMinutes(1));
    return driver.executeAsyncScript(
        """
        const done = arguments[arguments.length - 1];
        const poll = () => {
          const value = (() => { %s })();
          value ? done(value) : setTimeout(poll, 50);
        };
        poll();
        """
            .formatted(script));
  }

  public void screenshot(Path file) throws IOException {
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  /** Asserts that at least so many canvases are there and all of them are drawn on. */
  public void assertDrawn(int atLeast) {
    List<?> colours = (List<?>) run(CANVASES);
    assertThat(colours).hasSizeGreaterThanOrEqualTo(atLeast);
    assertThat(colours).allSatisfy(count -> assertThat((Long) count).isGreaterThan(3));
  }

  public void assertNoErrors() {
    // Warnings are about the test's own reading of pixels.
    assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
        .noneMatch(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue());
  }

  @Override
  public void close() {
    driver.quit();
  }
}
