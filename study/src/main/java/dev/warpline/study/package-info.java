/** Questions over many kernels and machines: validate, compare, bench, sweep. */
package dev.warpline.study;
