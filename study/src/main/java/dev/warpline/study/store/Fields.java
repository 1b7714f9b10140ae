package dev.warpline.study.store;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The fields of a description, unpacked when somebody looks at them: few questions ask for any. */
final class Fields extends AbstractMap<String, String> {
  private final Supplier<Map<String, String>> packed;
  private Map<String, String> unpacked;

  Fields(Supplier<Map<String, String>> packed) {
    this.packed = packed;
  }

  private synchronized Map<String, String> map() {
    if (unpacked == null) {
      unpacked = packed.get();
    }
    return unpacked;
  }

  @Override
  public String get(Object name) {
    return map().get(name);
  }

  @Override
  public boolean containsKey(Object name) {
    return map().containsKey(name);
  }

  @Override
  public Set<Map.Entry<String, String>> entrySet() {
    return map().entrySet();
  }
}
