package dev.warpline.isa;

/** Where a memory instruction goes. */
public enum MemorySpace {
  NONE,
  GLOBAL,
  LOCAL,
  SHARED,
  CONSTANT,
  TEXTURE,
  SURFACE,
  /** Global, local or shared, told apart by the address. */
  GENERIC
}
