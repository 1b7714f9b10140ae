/** Block scheduler and SM with its two cores: classic (Accel-Sim's) and modern (control bits). */
package dev.warpline.nvidia;
