/** What a kernel's instructions and its traffic cost, counted as blocks are read. */
package dev.warpline.nvidia.modern.energy;
