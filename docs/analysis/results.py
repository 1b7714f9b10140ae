"""Loads results of Warpline with pandas.

    ./warpline run TRACE --gpu h200 --report out.html --json out.json
    python3 docs/analysis/results.py out.json
"""

import json
import sys

import pandas as pd


def kernels(run):
    """One row per kernel: totals and statistics."""
    rows = []
    for kernel in run["kernels"]:
        row = {k: kernel[k] for k in ("id", "name", "cycles", "warpInstructions", "occupancy", "limiter")}
        row.update(kernel["statistics"])
        rows.append(row)
    return pd.DataFrame(rows).set_index("id")


def stalls(run):
    """Share of warp time by reason, one column per kernel."""
    table = pd.DataFrame({k["id"]: k["stalls"] for k in run["kernels"]}).fillna(0)
    return table / table.sum()


def lines(kernel):
    """One row per static instruction, with a column per reason; needs a run with a profile."""
    rows = []
    for line in kernel["profile"]["lines"]:
        row = {k: v for k, v in line.items() if k != "stalls"}
        row.update({reason.lower(): cycles for reason, cycles in line["stalls"].items()})
        row["warpCycles"] = sum(line["stalls"].values())
        rows.append(row)
    return pd.DataFrame(rows).fillna(0).set_index("pc")


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        result = json.load(file)
    print(kernels(result)[["name", "cycles", "warpInstructions", "occupancy"]])
    print(stalls(result).sort_values(result["kernels"][0]["id"], ascending=False).head(8))
    for kernel in result["kernels"]:
        if kernel.get("profile"):
            print(lines(kernel).nlargest(8, "warpCycles")[["text", "executed", "warpCycles"]])
