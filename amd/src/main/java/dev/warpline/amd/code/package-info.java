/**
 * AMD code objects: reading the ELF file (also inside clang's offload bundles), kernel descriptors,
 * metadata, the memory image with its relocations, and the layout of kernel arguments.
 */
package dev.warpline.amd.code;
