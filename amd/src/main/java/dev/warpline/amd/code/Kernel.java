package dev.warpline.amd.code;

import java.util.List;

/**
 * One kernel of a code object. Addresses are relative to where the code object is loaded.
 *
 * @param name as in the source (HIP: mangled)
 * @param descriptorAddress the AQL packet's kernel_object, less the load address
 * @param entryAddress first instruction
 * @param codeBytes size of the function by its symbol; functions it calls lie elsewhere
 * @param arguments all arguments, hidden ones last
 * @param kernargBytes size of the argument segment
 * @param vgprs vector registers used, as the compiler counted them
 * @param agprs accumulation registers used
 * @param sgprs scalar registers used, with VCC and the like
 * @param maxGroupSize most work-items per group it was compiled for
 * @param requiredGroupSize x, y, z, or an empty list
 */
public record Kernel(
    String name,
    KernelDescriptor descriptor,
    long descriptorAddress,
    long entryAddress,
    long codeBytes,
    List<KernelArgument> arguments,
    int kernargBytes,
    int vgprs,
    int agprs,
    int sgprs,
    int maxGroupSize,
    List<Integer> requiredGroupSize) {

  /** The arguments a caller gives, in order. */
  public List<KernelArgument> explicitArguments() {
    return arguments.stream().filter(a -> !a.isHidden()).toList();
  }
}
