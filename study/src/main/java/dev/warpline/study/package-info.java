/** Questions over many kernels and machines: validate, compare, bench, experiments. */
package dev.warpline.study;
