/**
 * Reading and writing registers: the ports of a sub-core's register banks, and the register-file
 * cache that spares reads.
 */
package dev.warpline.nvidia.modern.operand;
