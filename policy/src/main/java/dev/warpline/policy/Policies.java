package dev.warpline.policy;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The policies of one kind by name: those of Warpline and those that the context class loader finds
 * in other jars.
 */
public final class Policies<P extends Policy> {
  /** A policy that could be chosen. */
  public record Choice(String name, String about, String className) {}

  private final Class<P> kind;
  private final ClassLoader loader;

  /** What all jars have, null until somebody wants more than one of {@link OwnPolicies}. */
  private TreeMap<String, ServiceLoader.Provider<P>> found;

  private Policies(Class<P> kind, ClassLoader loader) {
    this.kind = kind;
    this.loader = loader;
  }

  /** Looks into every jar, once, which takes a while. */
  private synchronized TreeMap<String, ServiceLoader.Provider<P>> byName() {
    if (found == null) {
      found = find();
    }
    return found;
  }

  private TreeMap<String, ServiceLoader.Provider<P>> find() {
    TreeMap<String, ServiceLoader.Provider<P>> byName = new TreeMap<>();
    for (ServiceLoader.Provider<P> provider : ServiceLoader.load(kind, loader).stream().toList()) {
      ServiceLoader.Provider<P> other = byName.put(named(provider).value(), provider);
      if (other != null) {
        throw new IllegalArgumentException(
            String.format(
                "two classes are called \"%s\": %s and %s; expected another name for one",
                named(provider).value(), other.type().getName(), provider.type().getName()));
      }
    }
    return byName;
  }

  /** What people call a kind, and what it decides. */
  public static Choice kind(Class<?> kind) {
    return choice(kind, kind.getName());
  }

  /** The choices that an enum has, each of whose constants is named. */
  public static List<Choice> constants(Class<?> kind) {
    return Arrays.stream(kind.getFields())
        .filter(Field::isEnumConstant)
        .map(constant -> choice(constant, kind.getName()))
        .toList();
  }

  private static Choice choice(AnnotatedElement element, String className) {
    Named named = named(element);
    return new Choice(named.value(), named.about(), className);
  }

  /** All of a kind. */
  public static <P extends Policy> Policies<P> of(Class<P> kind) {
    return new Policies<>(kind, Thread.currentThread().getContextClassLoader());
  }

  private static Named named(ServiceLoader.Provider<?> provider) {
    return named(provider.type());
  }

  private static Named named(AnnotatedElement element) {
    return Optional.ofNullable(element.getAnnotation(Named.class))
        .orElseThrow(
            () -> new IllegalArgumentException(element + " has no name: expected @Named on it"));
  }

  /** What can be chosen, by name. */
  public List<Choice> choices() {
    return byName().values().stream().map(p -> choice(p.type(), p.type().getName())).toList();
  }

  /**
   * Makes policies from a description's words: a name, perhaps with numbers behind colons. What is
   * wrong with the words is said here, once.
   *
   * @throws IllegalArgumentException says what was found and expected
   */
  public Chosen<P> maker(String words) {
    String[] parts = words.split(":");
    Supplier<P> making = making(parts[0].trim());
    if (making == null) {
      throw new IllegalArgumentException(
          String.format(
              "found \"%s\", expected one of %s", words, String.join(", ", byName().keySet())));
    }
    int[] numbers = new int[parts.length - 1];
    for (int i = 1; i < parts.length; i++) {
      try {
        numbers[i - 1] = Integer.parseInt(parts[i].trim());
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            String.format("found \"%s\", expected a number instead of \"%s\"", words, parts[i]), e);
      }
    }
    Supplier<P> maker =
        () -> {
          P policy = making.get();
          policy.configure(numbers);
          return policy;
        };
    try {
      Objects.requireNonNull(maker.get());
    } catch (IllegalArgumentException | ServiceConfigurationError e) {
      throw new IllegalArgumentException(
          String.format("found \"%s\": %s", words, e.getMessage()), e);
    }
    return new Chosen<>(words, maker);
  }

  /** What makes the policy of a name, null if there is none. */
  private Supplier<P> making(String name) {
    return OwnPolicies.make(kind, name) != null
        ? () -> kind.cast(OwnPolicies.make(kind, name))
        : byName().get(name);
  }

  @Override
  public String toString() {
    return kind.getSimpleName()
        + Arrays.stream(byName().keySet().toArray())
            .map(Object::toString)
            .collect(Collectors.joining(", ", "(", ")"));
  }
}
