package dev.warpline.cli;

import dev.warpline.engine.gpu.PolicyFields;
import dev.warpline.policy.Policies;
import dev.warpline.policy.Policy;
import dev.warpline.trace.TraceDialect;
import java.io.Closeable;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipException;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * Policies and tracer versions from users' jars; a mixin of every command that simulates. The jars
 * are the context class loader of the command and of all threads that it starts.
 */
final class Plugins {
  private static final String OPTION = "--plugin";
  private static final String SERVICES = "META-INF/services/";

  @Option(
      names = OPTION,
      paramLabel = "JAR",
      description = {
        "Jar with policies of one's own, e.g. a warp scheduler, that the GPU may then name, or with"
            + " a tracer version (docs/extending.md). Repeatable."
      })
  List<Path> jars = new ArrayList<>();

  /** Runs a command with the policies of its jars. */
  static int execute(ParseResult parsed) {
    List<Path> jars = List.of();
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    if (last.hasMatchedOption(OPTION)) {
      jars = last.matchedOptionValue(OPTION, jars);
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    Deque<Closeable> opened = new ArrayDeque<>();
    try {
      for (Path jar : jars) {
        thread.setContextClassLoader(open(jar, thread.getContextClassLoader(), opened));
      }
      return new RunLast().execute(parsed);
    } catch (IOException e) {
      throw new ExecutionException(last.commandSpec().commandLine(), e.getMessage(), e);
    } finally {
      thread.setContextClassLoader(before);
      opened.forEach(Plugins::close);
    }
  }

  /** The class loader of a jar, after those of the jars before it. */
  private static ClassLoader open(Path jar, ClassLoader parent, Deque<Closeable> opened)
      throws IOException {
    List<Class<?>> kinds = kinds(jar);
    URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, parent);
    opened.push(loader);
    Thread thread = Thread.currentThread();
    try {
      thread.setContextClassLoader(loader);
      for (Class<?> kind : kinds) {
        if (Policy.class.isAssignableFrom(kind)) {
          Policies.of(kind.asSubclass(Policy.class)).choices();
        } else {
          ServiceLoader.load(kind, loader).forEach(found -> {});
        }
      }
    } catch (ServiceConfigurationError | LinkageError | IllegalArgumentException e) {
      throw new IOException(jar + ": " + e.getMessage(), e);
    } finally {
      thread.setContextClassLoader(parent);
    }
    return loader;
  }

  /** Kinds of things that a jar says it has. */
  private static List<Class<?>> kinds(Path jar) throws IOException {
    if (!Files.exists(jar)) {
      throw new NoSuchFileException(jar.toString());
    }
    if (Files.isDirectory(jar)) {
      throw new IOException(jar + ": found a folder, expected a jar");
    }
    List<Class<?>> known = new ArrayList<>();
    PolicyFields.all().stream()
        .map(PolicyFields::kind)
        .filter(Class::isInterface)
        .forEach(known::add);
    known.add(TraceDialect.class);
    try (JarFile file = new JarFile(jar.toFile())) {
      List<Class<?>> found =
          known.stream().filter(kind -> file.getEntry(SERVICES + kind.getName()) != null).toList();
      if (found.isEmpty()) {
        throw new IOException(
            jar
                + ": found no policy, expected one of "
                + known.stream()
                    .map(kind -> SERVICES + kind.getName())
                    .collect(Collectors.joining(", "))
                + " that names a class");
      }
      return found;
    } catch (ZipException e) {
      throw new IOException(jar + ": found no jar: " + e.getMessage(), e);
    }
  }

  private static void close(Closeable loader) {
    try {
      loader.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
