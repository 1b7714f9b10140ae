package dev.warpline.engine.gpu;

import dev.warpline.policy.Chosen;
import dev.warpline.policy.Named;
import dev.warpline.policy.Policies;
import dev.warpline.policy.Policy;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A kind of policy and the fields of a description that choose one.
 *
 * @param kind the interface, or an enum where the choices are parts of one mechanism
 * @param paths dotted paths, as in {@link Gpus#fields}
 */
public record PolicyFields(Class<?> kind, List<String> paths) {

  /** What can be chosen, those of the context class loader's jars included. */
  public List<Policies.Choice> choices() {
    return kind.isEnum()
        ? Policies.constants(kind)
        : Policies.of(kind.asSubclass(Policy.class)).choices();
  }

  /** Every kind that a description can choose, in the order of its fields. */
  public static List<PolicyFields> all() {
    Map<Class<?>, List<String>> found = new LinkedHashMap<>();
    find(GpuDescription.class, "", found);
    return found.entrySet().stream()
        .map(entry -> new PolicyFields(entry.getKey(), List.copyOf(entry.getValue())))
        .toList();
  }

  private static void find(Class<?> type, String path, Map<Class<?>, List<String>> found) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
      Type inner = component.getGenericType();
      if (inner instanceof ParameterizedType chosen && chosen.getRawType() == Chosen.class) {
        Class<?> policy = (Class<?>) chosen.getActualTypeArguments()[0];
        found.computeIfAbsent(policy, kind -> new ArrayList<>()).add(name);
        continue;
      }
      if (component.getType().isAnnotationPresent(Named.class)) {
        found.computeIfAbsent(component.getType(), kind -> new ArrayList<>()).add(name);
      }
      if (inner instanceof ParameterizedType generic) {
        Type[] arguments = generic.getActualTypeArguments();
        inner = arguments[arguments.length - 1];
        name += generic.getRawType() == List.class ? "[]" : ".*";
      }
      if (inner instanceof Class<?> record && record.isRecord()) {
        find(record, name, found);
      }
    }
  }
}
