package dev.warpline.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A real browser for tests of pages: Debian's chromium and chromium-driver, which {@code .ci/run}
 * installs. Tests are left out where they are not there. With {@code -Dwarpline.screenshots=FOLDER}
 * they keep a picture of each page.
 */
abstract class Browser {
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Path BROWSER = Path.of("/usr/bin/chromium");

  /** Selenium warns of every Chromium that is newer than itself. */
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  @TempDir static Path folder;
  static ChromeDriver browser;

  @BeforeAll
  static void open(TestInfo test) {
    boolean here = Files.exists(DRIVER) && Files.exists(BROWSER);
    if (!here) {
      sayWhatIsLeftOut(test.getTestClass().orElseThrow());
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
  }

  /** A test command that says nothing else says this. */
  private static void sayWhatIsLeftOut(Class<?> tests) {
    List<String> names =
        Stream.of(tests.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .map(Method::getName)
            .sorted()
            .toList();
    System.out.printf(
        "left out without Chromium (%s, %s): the %d tests of %s: %s%n",
        BROWSER, DRIVER, names.size(), tests.getSimpleName(), String.join(", ", names));
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

  /** Does something at 390 pixels; afterwards nothing may stick out of the page. */
  static void phone(Runnable look) {
    browser.manage().window().setSize(new Dimension(500, 844));
    // Chromium's window is no narrower than 500 pixels; the page may be.
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", 390, "height", 844, "deviceScaleFactor", 1, "mobile", true));
    look.run();
    Number overflow =
        (Number) script("return document.documentElement.scrollWidth - window.innerWidth");
    assertThat(overflow.intValue()).isLessThanOrEqualTo(0);
    browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    wide();
  }

  static void wide() {
    browser.manage().window().setSize(new Dimension(1280, 900));
  }

  static String background() {
    return script("return getComputedStyle(document.body).backgroundColor").toString();
  }

  /** A refused request shows in the console as a failed load; that is the browser's own remark. */
  static void forgetLogs(int expected) {
    assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
        .hasSize(expected)
        .allMatch(entry -> entry.getMessage().matches("(?s).*\\b(400|409)\\b.*"));
  }

  static Object script(String code, Object... arguments) {
    return browser.executeScript(code, arguments);
  }

  static void click(String selector) {
    click(find(selector));
  }

  static void click(WebElement element) {
    script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element);
    element.click();
  }

  static WebElement find(String selector) {
    return browser.findElement(By.cssSelector(selector));
  }

  static List<WebElement> findAll(String selector) {
    return browser.findElements(By.cssSelector(selector));
  }

  static void waitUntil(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(15).toNanos();
    while (System.nanoTime() < end) {
      try {
        if (condition.getAsBoolean()) {
          return;
        }
        Thread.sleep(50);
      } catch (StaleElementReferenceException e) {
        continue; // the page drew itself anew in between
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    throw new AssertionError(
        "never happened on " + browser.getCurrentUrl() + ":\n" + find("body").getText());
  }

  /**
   * Text that is harder to read than WCAG's level AA allows: less than 4.5 to 1 against what is
   * behind it, 3 to 1 for large text.
   */
  static List<?> unreadable() {
    return (List<?>) script(CONTRAST);
  }

  private static final String CONTRAST =
      """
      const parse = text => {
        const n = text.match(/[\\d.]+/g).map(Number);
        const scale = text.startsWith('color(') ? 255 : 1;
        return [n[0] * scale, n[1] * scale, n[2] * scale, n.length > 3 ? n[3] : 1];
      };
      const over = (top, low) => [0, 1, 2].map(i => top[i] * top[3] + low[i] * (1 - top[3])).concat(1);
      const light = c => {
        const [r, g, b] = c.map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
      };
      const behind = element => {
        const layers = [];
        for (let e = element; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
        return layers.reverse().reduce((low, top) => over(top, low), [255, 255, 255, 1]);
      };
      const found = new Map();
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement, words = walker.currentNode.textContent.trim();
        if (!words || /^(SCRIPT|STYLE|NOSCRIPT|OPTION)$/.test(element.tagName) || !element.checkVisibility()) continue;
        if (element.closest(':disabled')) continue;
        const style = getComputedStyle(element), back = behind(element);
        let front = parse(element.namespaceURI.endsWith('svg') ? style.fill : style.color);
        for (let e = element; e; e = e.parentElement) front[3] *= Number(getComputedStyle(e).opacity);
        front = over(front, back);
        const [high, low] = [light(front), light(back)].sort((a, b) => b - a);
        const ratio = (high + .05) / (low + .05), size = parseFloat(style.fontSize);
        const large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
        if (ratio < (large ? 3 : 4.5)) found.set(`${element.tagName}.${element.getAttribute('class')} ${style.color} on ${back.map(Math.round)}`, `${words.slice(0, 30)} ${ratio.toFixed(2)}`);
      }
      return [...found].map(([what, how]) => `${what}: ${how}`);
      """;

  static void picture(String name, boolean wholePage) {
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
                      Map.of(
                          "format", "png", "captureBeyondViewport", true, "clip", wholePageClip()))
                  .get("data")
              : browser.getScreenshotAs(OutputType.BASE64);
      Files.createDirectories(new File(into).toPath());
      Files.write(Path.of(into, name + ".png"), Base64.getDecoder().decode(image.toString()));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static Map<String, Object> wholePageClip() {
    Number width = (Number) script("return document.documentElement.clientWidth");
    Number height = (Number) script("return document.documentElement.scrollHeight");
    return Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1);
  }
}
