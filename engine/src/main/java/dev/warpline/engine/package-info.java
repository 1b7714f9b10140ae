/**
 * Time, windows, links, sleeping, statistics and GPU descriptions: what every machine is built on.
 */
package dev.warpline.engine;
