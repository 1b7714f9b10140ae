package dev.warpline.amd.code;

import dev.warpline.isa.gcn.GcnTarget;
import java.util.Map;

/**
 * Compares what the metadata say of a kernel with its descriptor, which the hardware goes by. A
 * file in which they disagree is damaged, or was put together from two.
 */
final class DescriptorCheck {
  private final String file;
  private final String kernel;
  private final Map<?, ?> metadata;

  DescriptorCheck(String file, String kernel, Map<?, ?> metadata) {
    this.file = file;
    this.kernel = kernel;
    this.metadata = metadata;
  }

  void check(KernelDescriptor descriptor, GcnTarget target) throws CodeObjectException {
    equal(".group_segment_fixed_size", "bytes of LDS", descriptor.groupSegmentBytes());
    equal(".private_segment_fixed_size", "bytes of scratch", descriptor.privateSegmentBytes());
    if (descriptor.kernargBytes() != 0) {
      equal(".kernarg_segment_size", "bytes of arguments", descriptor.kernargBytes());
    }
    atMost(".vgpr_count", "vector registers", descriptor.vgprs(target));
    atMost(".sgpr_count", "scalar registers", descriptor.sgprs());
    if (metadata.get(".wavefront_size") instanceof Long lanes && lanes != 64) {
      throw new CodeObjectException(file, "kernel " + kernel + " with waves of " + lanes, "64");
    }
  }

  private void equal(String key, String what, int descriptor) throws CodeObjectException {
    if (metadata.get(key) instanceof Long said && said != descriptor) {
      throw disagreement(key, said, what, "says " + descriptor);
    }
  }

  private void atMost(String key, String what, int descriptor) throws CodeObjectException {
    if (metadata.get(key) instanceof Long said && said > descriptor) {
      throw disagreement(key, said, what, "gives " + descriptor);
    }
  }

  private CodeObjectException disagreement(String key, long said, String what, String descriptor) {
    return new CodeObjectException(
        file,
        "kernel " + kernel + " with " + said + " " + what + " in the metadata (" + key + ")",
        "what its descriptor " + descriptor + "; one of them is damaged");
  }
}
