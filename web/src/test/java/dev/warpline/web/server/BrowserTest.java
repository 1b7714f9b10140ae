package dev.warpline.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.web.SyntheticRun;
import dev.warpline.web.report.Report;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.Select;

/**
 * The pages in a real browser: Debian's chromium and chromium-driver, which {@code .ci/run}
 * installs. Left out where they are not there. With {@code -Dwarpline.screenshots=FOLDER} it keeps
 * a picture of each page.
 */
class BrowserTest {
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Path BROWSER = Path.of("/usr/bin/chromium");

  /** Selenium warns of every Chromium that is newer than itself. */
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  @TempDir static Path folder;
  private static ChromeDriver browser;
  private static Path report;

  @BeforeAll
  static void open() throws IOException {
    boolean here = Files.exists(DRIVER) && Files.exists(BROWSER);
    if (!here) {
      sayWhatIsLeftOut();
    }
    assumeTrue(here, "no chromium and chromedriver here");
    SELENIUM.setLevel(Level.SEVERE);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(BROWSER.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--hide-scrollbars",
        "--user-data-dir=" + folder.resolve("profile"),
        "--window-size=1280,900");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build();
    browser = new ChromeDriver(service, options);
    RunResult run = SyntheticRun.run(ProfileOptions.NO_TIMELINE);
    report = folder.resolve("report.html");
    Report.write(run, "sgemm", report);
  }

  /** A test command that says nothing else says this. */
  private static void sayWhatIsLeftOut() {
    List<String> tests =
        Stream.of(BrowserTest.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .map(Method::getName)
            .sorted()
            .toList();
    System.out.printf(
        "left out without Chromium (%s, %s): the %d tests of BrowserTest: %s%n",
        BROWSER, DRIVER, tests.size(), String.join(", ", tests));
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.quit();
    }
  }

  @AfterEach
  void noPageComplains() {
    List<LogEntry> entries = browser.manage().logs().get(LogType.BROWSER).getAll();
    assertThat(entries)
        .filteredOn(e -> e.getLevel().intValue() >= Level.WARNING.intValue())
        .isEmpty();
  }

  @Test
  void aReportOpensWithinTwoSecondsAndNamesTheBottleneck() {
    wide();
    long before = System.nanoTime();
    openReport();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
    assertThat(find(".verdict h2").getText()).startsWith("Limited by");
    assertThat(findAll("#states .state")).hasSizeGreaterThan(5);
    for (String section : List.of("speed", "roofline", "occupancy", "time", "memory", "balance")) {
      waitUntil(() -> !findAll("#" + section + " svg, #" + section + " .meter").isEmpty());
    }
    picture("report", true);
  }

  /**
   * What sgemm_reg, 25.6 million warp instructions on an H200, has: 294 instructions, 132 SMs, 217
   * buckets of time. This one has more of everything.
   */
  @Test
  void theReportOfA25MillionInstructionKernelIsSmallAndOpensWithinTwoSeconds() throws IOException {
    RunResult run = SyntheticRun.large();
    KernelProfile profile = run.kernels().get(0).profile();
    assertThat(run.kernels().get(0).warpInstructions()).isGreaterThan(25_000_000);
    assertThat(profile.lines()).hasSizeGreaterThanOrEqualTo(4000);
    assertThat(profile.sms()).hasSize(132).allMatch(sm -> sm.warps() > 0);
    assertThat(profile.series().l1Sectors()).hasSizeGreaterThan(128);
    assertThat(profile.series().states()).hasSize(StallReason.COUNT);
    Path file = folder.resolve("large.html");
    Report.write(run, "large", file);
    assertThat(Files.size(file)).isBetween(500_000L, 5_000_000L);
    assertThat(opened(file)).isLessThan(Duration.ofSeconds(2));
    find("body").sendKeys("n");
    assertThat(findAll("#listing tr.detail")).hasSize(1);
  }

  @Test
  void soDoesAGivenReport() {
    String file = System.getProperty("warpline.report");
    assumeTrue(file != null, "no report: name one with -Dwarpline.report=FILE");
    Duration time = opened(Path.of(file));
    System.out.println(file + " opens in " + time.toMillis() + " ms");
    assertThat(time).isLessThan(Duration.ofSeconds(2));
  }

  /** From navigation until the page is drawn and answers: two frames after its scripts have run. */
  private static Duration opened(Path file) {
    wide();
    browser.get("about:blank");
    browser.get(file.toAbsolutePath().toUri().toString());
    Number ready =
        (Number)
            browser.executeAsyncScript(
                "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(()"
                    + " => done(performance.now())))");
    assertThat(findAll("#listing tr.line")).isNotEmpty();
    assertThat(find(".verdict h2").getText()).isNotEmpty();
    return Duration.ofMillis(ready.longValue());
  }

  @Test
  void theListingSortsByTimeAndALineOpensToItsMemoryBehaviour() {
    wide();
    openReport();
    click("#listing th[data-key=heat] button");
    assertThat(find("#listing tbody tr.line").getText()).contains("STS");
    click("#listing th[data-key=heat] button");
    assertThat(find("#listing th[data-key=heat]").getDomAttribute("aria-sort"))
        .isEqualTo("ascending");
    click("#listing th[data-key=pc] button");
    assertThat(find("#listing tr[data-pc='112']").getText()).contains("LDG.E.128");
    click("#listing tr[data-pc='112']");
    assertThat(find("#listing tr.detail").getText())
        .contains("Sectors per request")
        .contains("DRAM");
    picture("listing", false);
    find("#listing input").sendKeys("ffma");
    assertThat(findAll("#listing tr.line")).hasSize(4);
  }

  @Test
  void keysMoveToTheHottestLineAndSwitchTheTheme() {
    wide();
    openReport();
    find("body").sendKeys("n");
    assertThat(find("#listing tr.cursor").getText()).contains("STS");
    String before = background();
    find("body").sendKeys("t");
    assertThat(background()).isNotEqualTo(before);
    picture("report-dark", true);
    find("#theme").click();
    assertThat(background()).isEqualTo(before);
    find("body").sendKeys("?");
    assertThat(find("dialog").isDisplayed()).isTrue();
    find("dialog button").sendKeys(Keys.ENTER);
    find("body").sendKeys("[");
    assertThat(new Select(find("#kernel")).getFirstSelectedOption().getText()).startsWith("1");
  }

  @Test
  void aReportCanBeReadOnAPhone() {
    phone(
        () -> {
          openReport();
          picture("report-phone", true);
        });
  }

  /** Does something at 390 pixels; afterwards nothing may stick out of the page. */
  private static void phone(Runnable look) {
    browser.manage().window().setSize(new Dimension(500, 844));
    // Chromium's window is no narrower than 500 pixels; the page may be.
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        java.util.Map.of("width", 390, "height", 844, "deviceScaleFactor", 1, "mobile", true));
    look.run();
    Number overflow =
        (Number) script("return document.documentElement.scrollWidth - window.innerWidth");
    assertThat(overflow.intValue()).isLessThanOrEqualTo(0);
    browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", java.util.Map.of());
    wide();
  }

  @Test
  void aTraceIsUploadedRunWatchedComparedAndARunCancelled() throws Exception {
    wide();
    SlowSimulator simulator = new SlowSimulator();
    Path trace = Files.write(folder.resolve("vecadd.tar.gz"), Archives.trace());
    try (Server server =
        new Server(ServerOptions.of(folder.resolve("store"), "127.0.0.1", 0, null), simulator)) {
      browser.get(server.url());
      waitUntil(() -> !findAll("#gpu option").isEmpty());
      find("#file").sendKeys(trace.toString());
      waitUntil(() -> find("#message").getText().contains("is here"));
      new Select(find("#gpu")).selectByValue("rtx3070");

      find("#start").click();
      simulator.allow(4);
      waitUntil(() -> find("#jobs").getText().contains("4 of 10 blocks"));
      waitUntil(() -> findAll("#sms .smcell").size() == 132);
      String first = find("#sms .smcell[data-sm='5']").getDomAttribute("data-state");
      assertThat(find("#sms .legend").getText()).contains("Barrier: 66 SMs");
      picture("serve-running", false);
      find("#sms .smgrid").sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
      assertThat(find("#sms .smdetail").getText()).startsWith("SM 1: 2 blocks, 16 warps, IPC");
      find("#sms button[data-mode=ipc]").click();
      simulator.allow(5);
      waitUntil(() -> find("#jobs").getText().contains("9 of 10 blocks"));
      waitUntil(
          () -> !find("#sms .smcell[data-sm='5']").getDomAttribute("data-state").equals(first));
      assertThat(find("#sms .smdetail").getText()).startsWith("SM 1: 2 blocks");
      phone(() -> picture("serve-phone", true));
      simulator.allow(1);
      waitUntil(() -> findAll("#runs tbody tr").size() == 1);

      find("#settings").sendKeys("clocks.coreMHz=1500");
      find("#start").click();
      simulator.allow(10);
      waitUntil(() -> findAll("#runs tbody tr").size() == 2);

      assertThat(find("#runs tbody tr").getText())
          .contains("clocks.coreMHz=1500")
          .contains("1 warning")
          .containsPattern("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d");

      find("#start").click();
      simulator.allow(1);
      waitUntil(() -> find("#jobs").getText().contains("1 of 10 blocks"));
      WebElement cancel = find(".job[data-state=RUNNING] button");
      script("arguments[0].focus()", cancel);
      simulator.allow(3);
      waitUntil(() -> find("#jobs").getText().contains("4 of 10 blocks"));
      assertThat(browser.switchTo().activeElement()).isEqualTo(cancel);
      cancel.sendKeys(Keys.ENTER);
      waitUntil(() -> !findAll(".job[data-state=CANCELLED]").isEmpty());
      assertThat(browser.switchTo().activeElement()).isEqualTo(find(".job[data-state=CANCELLED]"));
      assertThat(findAll("#runs tbody tr")).hasSize(2);

      find("#settings").clear();
      find("#settings").sendKeys("no.such=1");
      find("#start").click();
      waitUntil(() -> find("#message").getText().contains("no.such"));
      forgetLogs(1);
      picture("serve", false);

      findAll("#runs tbody input").forEach(BrowserTest::click);
      find("#compare").click();
      waitUntil(() -> !findAll("#view .verdict").isEmpty());
      assertThat(find("#view").getText()).contains("clocks.coreMHz").contains("1500");
      picture("compare", true);

      browser.get(server.url());
      waitUntil(() -> findAll("#runs tbody a").size() > 2);
      find("#runs tbody a").click();
      waitUntil(() -> !findAll(".verdict h2").isEmpty());
      assertThat(find("h1").getText()).isEqualTo("sgemm_tiled");
      browser.get("about:blank");
    }
  }

  @Test
  void filesAreUploadedWithProgressAndOnesOwnGpusAndLimitsChosen() throws Exception {
    wide();
    Path slow = Files.write(folder.resolve("slow.tar.gz"), Archives.slow());
    Path yaml = Files.writeString(folder.resolve("Mine.yaml"), "inherits: rtx3070\n");
    Path accelSim =
        Path.of("../engine/src/test/resources/dev/warpline/engine/accelsim/SM86_RTX3070");
    Path trace = Files.write(folder.resolve("VecAdd.TAR.GZ"), Archives.trace());
    SlowSimulator simulator = new SlowSimulator();
    try (Server server =
        new Server(ServerOptions.of(folder.resolve("own"), "127.0.0.1", 0, null), simulator)) {
      browser.get(server.url());
      waitUntil(() -> !findAll("#gpu option").isEmpty());
      waitUntil(() -> find("#space").getText().contains("of 68.7"));
      find("#file").sendKeys(slow.toString());
      waitUntil(() -> find("#jobs").getText().contains("unpacked"));
      waitUntil(() -> progress() > 0);
      picture("serve-upload", false);
      find(".job[data-upload] button").click();
      waitUntil(() -> find("#message").getText().contains("cancelled"));
      waitUntil(() -> findAll(".job[data-upload]").isEmpty());

      find("#file").sendKeys(trace.toString());
      waitUntil(() -> find("#message").getText().contains("VecAdd.tar.gz is here"));
      find("#file").sendKeys(yaml.toString());
      waitUntil(() -> find("#message").getText().contains("Mine.yaml is here"));
      find("#file")
          .sendKeys(
              accelSim.resolve("gpgpusim.config").toAbsolutePath().normalize()
                  + "\n"
                  + accelSim.resolve("trace.config").toAbsolutePath().normalize());
      browser.switchTo().alert().sendKeys("my-3070");
      browser.switchTo().alert().accept();
      waitUntil(() -> find("#message").getText().contains("my-3070/trace.config is here"));
      Select gpu = new Select(find("#gpu"));
      assertThat(gpu.getFirstSelectedOption().getText()).isEqualTo("my-3070");
      gpu.selectByValue("Mine.yaml");
      find("#limits summary").click();
      find("#maxSeconds").sendKeys("99999");
      find("#start").click();
      waitUntil(() -> find("#message").getText().contains("maxSeconds: found 99999"));
      find("#maxSeconds").clear();
      find("#maxSeconds").sendKeys("1");
      assertThat(find("#ends").getText()).contains("1.00\u2009s");
      find("#start").click();
      waitUntil(() -> find("#jobs").getText().contains("more than 1 s, the limit of this run"));
      assertThat(find("#jobs").getText()).contains("Mine.yaml");
      picture("serve-limits", false);
      browser.get("about:blank");
    }
    forgetLogs(2);
  }

  private static int progress() {
    List<WebElement> bars = findAll(".job[data-upload] [role=progressbar]");
    return bars.isEmpty() ? 0 : Integer.parseInt(bars.get(0).getDomAttribute("aria-valuenow"));
  }

  @Test
  void theCorrelationOfAValidationIsDrawn() throws Exception {
    wide();
    Path store = folder.resolve("validated");
    Files.createDirectories(store.resolve("validations"));
    Files.writeString(
        store.resolve("validations/h200.json"),
        "{\"workloads\":[{\"name\":\"a\",\"hardwareCycles\":1000,\"simulatedCycles\":1100},"
            + "{\"name\":\"b\",\"hardwareCycles\":20000,\"simulatedCycles\":30000}]}");
    try (Server server =
        new Server(ServerOptions.of(store, "127.0.0.1", 0, null), new SlowSimulator())) {
      browser.get(server.url() + "validate.html");
      waitUntil(() -> findAll("#correlation circle").size() == 2);
      assertThat(find("#errors tbody tr").getText()).contains("b").contains("+50.0");
      picture("validate", true);
      browser.get("about:blank");
    }
  }

  private static void openReport() {
    browser.get(report.toUri().toString());
    find(".verdict");
  }

  private static void wide() {
    browser.manage().window().setSize(new Dimension(1280, 900));
  }

  private static String background() {
    return script("return getComputedStyle(document.body).backgroundColor").toString();
  }

  /** A refused request shows in the console as a failed load; that is the browser's own remark. */
  private static void forgetLogs(int expected) {
    assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
        .hasSize(expected)
        .allMatch(entry -> entry.getMessage().matches("(?s).*\\b(400|409)\\b.*"));
  }

  private static Object script(String code, Object... arguments) {
    return browser.executeScript(code, arguments);
  }

  private static void click(String selector) {
    click(find(selector));
  }

  private static void click(WebElement element) {
    script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element);
    element.click();
  }

  private static WebElement find(String selector) {
    return browser.findElement(By.cssSelector(selector));
  }

  private static List<WebElement> findAll(String selector) {
    return browser.findElements(By.cssSelector(selector));
  }

  private static void waitUntil(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(15).toNanos();
    while (System.nanoTime() < end) {
      try {
        if (condition.getAsBoolean()) {
          return;
        }
        Thread.sleep(50);
      } catch (org.openqa.selenium.StaleElementReferenceException e) {
        continue; // the page drew itself anew in between
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    throw new AssertionError(
        "never happened on " + browser.getCurrentUrl() + ":\n" + find("body").getText());
  }

  private static void picture(String name, boolean wholePage) {
    String into = System.getProperty("warpline.screenshots");
    if (into == null) {
      return;
    }
    try {
      Thread.sleep(300);
      Object image =
          wholePage
              ? browser
                  .executeCdpCommand(
                      "Page.captureScreenshot",
                      java.util.Map.of(
                          "format", "png", "captureBeyondViewport", true, "clip", wholePageClip()))
                  .get("data")
              : browser.getScreenshotAs(OutputType.BASE64);
      Files.createDirectories(new File(into).toPath());
      Files.write(
          Path.of(into, name + ".png"), java.util.Base64.getDecoder().decode(image.toString()));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static java.util.Map<String, Object> wholePageClip() {
    Number width = (Number) script("return document.documentElement.clientWidth");
    Number height = (Number) script("return document.documentElement.scrollHeight");
    return java.util.Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1);
  }
}
