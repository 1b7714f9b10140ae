/** Timelines of a kernel for trace viewers: Perfetto (Chrome's JSON) and Konata (Kanata's log). */
package dev.warpline.web.timeline;
