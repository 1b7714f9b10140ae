package dev.warpline.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.SourceFile;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.study.validate.HardwareTable;
import dev.warpline.study.validate.KernelComparison;
import dev.warpline.web.SyntheticRun;
import dev.warpline.web.report.Baseline;
import dev.warpline.web.report.Report;
import dev.warpline.web.report.ValidationPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.Select;

/** The pages of runs in a real browser. */
class BrowserTest extends Browser {
  private static Path report;

  @BeforeAll
  static void write() throws IOException {
    RunResult run = SyntheticRun.run(ProfileOptions.NO_TIMELINE);
    report = folder.resolve("report.html");
    NavigableMap<Integer, String> lines = new TreeMap<>();
    for (int line = 30; line < 60; line++) {
      lines.put(line, "  line(" + line + ");");
    }
    SourceFile source = new SourceFile("/src/gemm.cu", "/src/gemm.cu", null, lines);
    Baseline before = new Baseline("before", SyntheticRun.run(ProfileOptions.NO_TIMELINE, 15));
    Report.write(run.withSources(List.of(source)), "sgemm", List.of(before), report);
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
  @Tag("long")
  void theReportOfAProgramOfAThousandKernelsOpensWithinTwoSeconds() throws IOException {
    RunResult run = SyntheticRun.launches(1000);
    assertThat(run.kernels()).hasSize(1000).allMatch(kernel -> kernel.profile() != null);
    Path file = folder.resolve("thousand.html");
    Report.write(run, "thousand", file);
    assertThat(Files.size(file)).isLessThan(8_000_000);
    Duration time = opened(file);
    assertThat(time).isLessThan(Duration.ofSeconds(2));
    if (System.getProperty("warpline.screenshots") != null) {
      System.out.println("1,000 kernels open in " + time.toMillis() + " ms");
    }
    assertThat(find("#kernels").getText()).contains("1,000 launches", "Show all 1,000");
    click("#kernels tbody tr:nth-child(3) a");
    assertThat(find("#kernels tr.cursor td").getText())
        .isEqualTo(new Select(find("#kernel")).getFirstSelectedOption().getText().split(" ")[0]);
  }

  @Test
  @Tag("long")
  void theReportOfAProgramOfTenThousandLaunchesOpensWithinTwoSecondsAndZoomsAtOnce()
      throws IOException {
    RunResult run = SyntheticRun.program(10_000);
    assertThat(run.activities()).hasSize(10_250);
    Path file = folder.resolve("program.html");
    Report.write(run, "program", file);
    assertThat(Files.size(file)).isLessThan(8_000_000);
    Duration time = opened(file);
    assertThat(time).isLessThan(Duration.ofSeconds(2));
    if (System.getProperty("warpline.screenshots") != null) {
      System.out.println("10,000 launches open in " + time.toMillis() + " ms");
    }
    assertThat(find("#program").getText()).contains("10,250 operations", "What ran when");
    long before = System.nanoTime();
    for (int i = 0; i < 10; i++) {
      find("#program canvas").sendKeys("+");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - before))
        .as("ten steps nearer")
        .isLessThan(Duration.ofSeconds(2));
    picture("program", false);
  }

  @Test
  void aSourceLineMarksItsInstructionsAndAnInstructionItsLine() {
    wide();
    openReport();
    assertThat(find("#source tr[data-line='42']").getText()).contains("line(42);");
    click("#source tr[data-line='42']");
    List<String> marked =
        findAll("#listing tr.marked").stream().map(row -> row.getDomAttribute("data-pc")).toList();
    assertThat(marked).containsExactly("96", "112", "128");
    click("#listing tr[data-pc='176']");
    assertThat(find("#source tr.cursor").getDomAttribute("data-line")).isEqualTo("43");
    assertThat(find("#listing tr.detail").getText()).contains("gemm.cu:43");
    click(findAll("#source button").get(0));
    assertThat(find("#source tbody tr").getText()).contains("gemm.cu:42");
    picture("source", false);
  }

  @Test
  void aReportStandsBesideItsBaselineLineByLine() {
    wide();
    openReport();
    assertThat(find("#difference h2").getText()).contains("times as fast as before");
    assertThat(find("#difference").getText()).contains("matched by PC", "Data from");
    assertThat(find("#listing tr[data-pc='128']").getText()).contains("−");
    new Select(find("#against")).selectByValue("-1");
    assertThat(findAll("#difference")).isEmpty();
    assertThat(find("#listing tr[data-pc='128']").getText()).doesNotContain("−");
  }

  @Test
  void everythingCanBeReachedWithTheKeyboard() {
    wide();
    openReport();
    find("body").sendKeys("n");
    Number top =
        (Number)
            script(
                "return document.querySelector('#listing tr.cursor').getBoundingClientRect().top");
    assertThat(top.doubleValue()).isBetween(0.0, 880.0);
    assertThat(find("#listing tr.cursor").getText()).contains("STS");
    assertThat(tabTo("#listing .listing")).isTrue();
    browser.switchTo().activeElement().sendKeys(Keys.ARROW_DOWN, Keys.ENTER);
    assertThat(find("#listing tr.cursor").getDomAttribute("aria-expanded")).isEqualTo("true");
    assertThat(find("#listing tr.cursor").getDomAttribute("data-pc")).isEqualTo("144");
    openReport();
    assertThat(tabTo("#source .listing")).isTrue();
    browser.switchTo().activeElement().sendKeys(Keys.ARROW_DOWN, Keys.ENTER);
    assertThat(findAll("#source tr.cursor")).hasSize(1);
    assertThat(tabTo("#statistics summary")).isTrue();
    browser.switchTo().activeElement().sendKeys(Keys.ENTER);
    assertThat(find("#statistics .kv").isDisplayed()).isTrue();
    assertThat(script("return getComputedStyle(document.activeElement).outlineStyle"))
        .isNotEqualTo("none");
  }

  /** Whether the tabulator comes from the control before an element to it. */
  private static boolean tabTo(String selector) {
    script(
        "const all = [...document.querySelectorAll('a[href], button, input, select, summary,"
            + " [tabindex=\"0\"]')].filter(e => e.checkVisibility() && !e.disabled);"
            + " all[all.indexOf(document.querySelector(arguments[0])) - 1].focus()",
        selector);
    browser.switchTo().activeElement().sendKeys(Keys.TAB);
    return (boolean) script("return document.activeElement.matches(arguments[0])", selector);
  }

  @Test
  void textHasTheContrastOfWcagAaInLightAndDark() {
    wide();
    openReport();
    find("body").sendKeys("n");
    readable("the report");
  }

  /** In both themes; {@code t} changes them. */
  private static void readable(String page) {
    assertThat(unreadable()).as("%s, light", page).isEmpty();
    find("body").sendKeys("t");
    assertThat(unreadable()).as("%s, dark", page).isEmpty();
    find("body").sendKeys("t");
    assertThat(unreadable()).as("%s, light again", page).isEmpty();
  }

  @Test
  void nothingMovesForWhoWantsNoMotion() {
    browser.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    try {
      openReport();
      assertThat((List<?>) script(MOVING)).isEmpty();
      assertThat(script("return getComputedStyle(document.documentElement).scrollBehavior"))
          .isEqualTo("auto");
    } finally {
      browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
    }
  }

  private static final String MOVING =
      "return [...document.querySelectorAll('*')].filter(e => { const s = getComputedStyle(e);"
          + " return s.transitionDuration.split(', ').some(d => d !== '0s')"
          + " || s.animationName !== 'none'; }).map(e => e.className || e.tagName)";

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
    Duration least = openedOnce(file);
    for (int again = 0; again < 2 && least.compareTo(Duration.ofSeconds(2)) >= 0; again++) {
      // Something else may have kept the machine busy.
      Duration next = openedOnce(file);
      least = next.compareTo(least) < 0 ? next : least;
    }
    return least;
  }

  private static Duration openedOnce(Path file) {
    wide();
    browser.get("about:blank");
    browser.get(file.toAbsolutePath().toUri().toString());
    Number ready =
        (Number)
            browser.executeAsyncScript(
                "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(()"
                    + " => done(performance.now())))");
    assertThat(findAll("#listing tr.line, #program canvas")).isNotEmpty();
    assertThat(find(".verdict h2, #program h2").getText()).isNotEmpty();
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
      readable("the server's page");
      find("#sms .smgrid").sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
      assertThat(find("#sms .smdetail").getText()).startsWith("SM 1: 2 blocks, 16 warps, IPC");
      find("#sms button[data-mode=ipc]").click();
      waitUntil(() -> !findAll("#levels tr[data-level='accesses at DRAM channels']").isEmpty());
      assertThat(find("#levels tr[data-level='accesses at DRAM channels']").getText())
          .contains("50");
      assertThat(find("#waits").getText()).contains("Barrier").contains("%");
      find(".job button.pause").sendKeys(Keys.ENTER);
      waitUntil(() -> !findAll(".job[data-pause=paused]").isEmpty());
      waitUntil(() -> find("#waiting").getText().contains("pc 0x40 waits for dram"));
      assertThat(find(".job .badge").getText()).isEqualTo("paused");
      simulator.allow(5);
      picture("serve-paused", true);
      assertThat(find("#jobs").getText()).contains("4 of 10 blocks");
      assertThat(find(".job button.pause").getText()).isEqualTo("Resume");
      find(".job button.pause").sendKeys(Keys.ENTER);
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

      findAll("#runs tbody input").forEach(Browser::click);
      find("#compare").click();
      waitUntil(() -> !findAll("#view .verdict").isEmpty());
      assertThat(find("#view").getText()).contains("clocks.coreMHz").contains("1500");
      readable("the comparison");
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
      readable("the server's validation");
      picture("validate", true);
      browser.get("about:blank");
    }
  }

  @Test
  void thePageOfAValidationHasAPointPerKernelItsCountersItsStatesAndWhatFailed()
      throws IOException {
    wide();
    Path page = folder.resolve("validation.html");
    ValidationPage.write(
        List.of(
            comparison("alpha", 1000, 1100),
            comparison("beta", 5000, 5000),
            new KernelComparison(hardware("gamma", 70), null, "no trace of gamma", 0)),
        "a GPU",
        page);
    browser.get(page.toUri().toString());
    waitUntil(() -> findAll("#correlation circle").size() == 2);
    assertThat(find(".title").getText()).contains("a GPU");
    assertThat(find("#errors").getText())
        .contains("no trace of gamma", "alpha", "+10.0", "instructions");
    assertThat(find("#stalls").getText()).contains("long_scoreboard", "– / 2.00");
    readable("the validation");
    picture("validation-report", true);
    phone(() -> browser.navigate().refresh());
  }

  private static HardwareTable.Row hardware(String name, double measured) {
    return new HardwareTable.Row(
        name,
        1,
        Map.of("cycles_median", Double.toString(measured), "smsp__inst_executed.sum", "100"));
  }

  private static KernelComparison comparison(String name, double measured, long simulated) {
    Map<String, Long> stalls = Map.of("selected", 110L, "l2_hit", 220L);
    KernelResult result =
        new KernelResult(
            1, name, 0, simulated, 110, 3520, 0.5, "threads", Map.of(), stalls, List.of());
    return new KernelComparison(hardware(name, measured), result, null, 1);
  }

  private static void openReport() {
    browser.get(report.toUri().toString());
    find(".verdict");
  }
}
