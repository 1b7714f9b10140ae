/**
 * Timelines of a kernel for trace viewers: Perfetto (its protobuf, Chrome's JSON), Konata (Kanata).
 */
package dev.warpline.web.timeline;
