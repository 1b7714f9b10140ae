/**
 * Launch files: a YAML file that names a code object, buffers, kernel launches, checks and outputs,
 * and what runs it, timed or functionally. The format is described in docs/amd.md.
 */
package dev.warpline.amd.launch;
