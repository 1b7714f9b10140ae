/** Energies fitted to measured kernels, and simulated joules compared with measured ones. */
package dev.warpline.study.energy;
