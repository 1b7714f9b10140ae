package dev.warpline.amd.code;

/**
 * One argument as the metadata lists it.
 *
 * @param name source name, empty where the compiler did not record it
 * @param offset byte offset in the argument segment
 * @param size bytes
 * @param kind value kind: {@code by_value}, {@code global_buffer}, {@code dynamic_shared_pointer},
 *     {@code hidden_block_count_x}, ...
 * @param type type in the source, from the metadata or the mangled name; empty where neither has it
 */
public record KernelArgument(String name, int offset, int size, String kind, String type) {
  /** The same argument with a type. */
  KernelArgument withType(String known) {
    return new KernelArgument(name, offset, size, kind, known);
  }

  /** Whether the runtime fills it in rather than the caller. */
  public boolean isHidden() {
    return kind.startsWith("hidden_");
  }

  /** Whether it is a pointer to global memory. */
  public boolean isGlobalBuffer() {
    return kind.equals("global_buffer");
  }

  /** Whether it is an LDS pointer whose size the caller chooses at launch. */
  public boolean isDynamicLds() {
    return kind.equals("dynamic_shared_pointer");
  }
}
