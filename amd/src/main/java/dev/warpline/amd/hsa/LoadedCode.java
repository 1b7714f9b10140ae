package dev.warpline.amd.hsa;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.CodeObjectException;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.cu.CodeImage;
import dev.warpline.amd.exec.DecodedCode;

/**
 * A code object in device memory.
 *
 * @param object what was loaded
 * @param base where
 * @param program its instructions for execution
 * @param image its instructions for the pipeline
 */
public record LoadedCode(CodeObject object, long base, DecodedCode program, CodeImage image) {
  /** The kernel of this name. */
  public Kernel kernel(String name) throws CodeObjectException {
    return object.kernel(name);
  }

  /** What a dispatch packet calls the kernel: the address of its descriptor. */
  public long kernelObject(Kernel kernel) {
    return base + kernel.descriptorAddress();
  }
}
