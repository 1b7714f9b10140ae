"""Plots with matplotlib. Each takes `ax=` to draw into, and gives back the axes."""

import re

from .optional import need

_MOST = 8


def _axes(ax, what, size=None):
    pyplot = need("matplotlib.pyplot", what)
    return ax if ax is not None else pyplot.subplots(figsize=size)[1]


def stalls(*runs, labels=None, ax=None):
    """Where warps spend their time: a stacked bar per kernel, of one run or several.

    The states that matter are shown apart, the others together.
    """
    kernels = sum(len(run.data["kernels"]) for run in runs)
    ax = _axes(ax, "plot.stalls", (8, 1.5 + 0.6 * kernels))
    bars = []
    for i, run in enumerate(runs):
        for kernel in run.data["kernels"]:
            name = f"{kernel['id']} {_short(kernel['name'])}"
            if len(runs) > 1:
                name += f"\n{labels[i] if labels else run.gpu}"
            bars.append((name, {r.lower(): c for r, c in kernel["stalls"].items()}))
    sums = {}
    for _, states in bars:
        whole = sum(states.values()) or 1
        for reason, cycles in states.items():
            sums[reason] = max(sums.get(reason, 0), cycles / whole)
    shown = sorted(sums, key=lambda reason: -sums[reason])[:_MOST]
    left = [0.0] * len(bars)
    for reason in [*shown, "other"]:
        widths = []
        for _, states in bars:
            whole = sum(states.values()) or 1
            part = (
                sum(c for r, c in states.items() if r not in shown)
                if reason == "other"
                else states.get(reason, 0)
            )
            widths.append(100 * part / whole)
        if any(widths):
            colour = "#bbbbbb" if reason == "other" else None
            ax.barh(range(len(bars)), widths, left=left, label=reason, color=colour)
            left = [a + b for a, b in zip(left, widths)]
    ax.set_yticks(range(len(bars)), [name for name, _ in bars])
    ax.invert_yaxis()
    ax.set_xlim(0, 100)
    ax.set_xlabel("% of warp-cycles")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncol=5, frameon=False, fontsize="small")
    return ax


def roofline(run, ax=None):
    """Arithmetic against traffic with DRAM, below the machine's peaks; needs profile=True.

    Kernels without floating-point operations are not shown.
    """
    ax = _axes(ax, "plot.roofline")
    hertz = run.data["coreMHz"] * 1e6
    roofs, bandwidth, points = {}, 0.0, []
    for kernel, profile in run._profiles("plot.roofline"):
        seconds = kernel["cycles"] / hertz
        flops = 0.0
        for line in profile["lines"]:
            flops += line["work"]["flops"] * line["lanes"]
        moved = 0.0
        for part in profile["throughputs"]:
            if part["unit"] == "flops":
                roofs[part["part"]] = part["peakPerCycle"] * hertz
            elif part["part"] == "DRAM" and part["unit"] == "bytes":
                bandwidth = part["peakPerCycle"] * hertz
                moved = part["done"]
        if flops and moved:
            points.append((flops / moved, flops / seconds, f"{kernel['id']} {_short(kernel['name'])}"))
    if not roofs or not bandwidth:
        raise ValueError(f"plot.roofline: the {run.core} core of {run.gpu} reports no peaks")
    low = min([0.1, *(x / 2 for x, _, _ in points)])
    high = max([1000.0, *(x * 2 for x, _, _ in points)])
    for name, peak in sorted(roofs.items(), key=lambda roof: -roof[1]):
        knee = peak / bandwidth
        ax.plot([low, knee, max(high, 2 * knee)], [low * bandwidth, peak, peak], color="#999999", lw=1)
        ax.annotate(name, (max(high, 2 * knee), peak), ha="right", va="bottom", fontsize="small")
    for x, y, name in points:
        ax.plot([x], [y], "o", label=name)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("flop per byte of DRAM")
    ax.set_ylabel("flop/s")
    if points:
        ax.legend(fontsize="small")
    return ax


def sweep(frame, x, y="microseconds", by=None, ax=None):
    """A line per trace and per value of the other varied columns, over one field of a sweep.

    by: columns that make a line of their own (default: trace, gpu and core where they differ)
    """
    ax = _axes(ax, "plot.sweep")
    if x not in frame.columns or y not in frame.columns:
        missing = x if x not in frame.columns else y
        raise KeyError(f"{missing}: the sweep has no such column, only {', '.join(frame.columns)}")
    if by is None:
        by = [c for c in ("trace", "gpu", "core") if c in frame.columns and frame[c].nunique() > 1]
    one = by[0] if by and len(by) == 1 else by
    for key, part in frame.groupby(one, sort=False) if by else [("", frame)]:
        name = " ".join(str(k) for k in key) if isinstance(key, tuple) else str(key)
        points = part.sort_values(x)
        ax.plot(points[x], points[y], marker="o", label=name)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.set_ylim(bottom=0)
    if by:
        ax.legend(fontsize="small")
    return ax


def series(run, kernel=None, ax=None):
    """Warps by state over the cycles of a kernel, stacked; needs profile=True."""
    ax = _axes(ax, "plot.series")
    frame = run.series(kernel)
    shown = frame.sum().sort_values(ascending=False).index[:_MOST]
    ax.stackplot(frame.index, *(frame[state] for state in shown), labels=list(shown))
    ax.set_xlabel("cycle")
    ax.set_ylabel("warps")
    ax.legend(fontsize="small", loc="upper right")
    return ax


def _short(name):
    """A kernel's name without its mangling, as far as that is simple, and not too long."""
    mangled = re.match(r"_Z(\d+)", name)
    if mangled:
        name = name[mangled.end() : mangled.end() + int(mangled.group(1))]
    return name if len(name) <= 30 else name[:29] + "\u2026"
