"""What a run says."""

import html
import json

from .optional import need

_COLUMNS = (
    "id kernel cycles microseconds start end warp_instructions thread_instructions ipc occupancy"
    " limiter"
).split()


def _frame(rows, what, columns=None):
    return need("pandas", what).DataFrame(rows, columns=columns)


class Run:
    """A program on a GPU. `data` is what `warpline run --json` writes, `text` what it prints.

    Frames (pandas) have one row per kernel, or per kernel and what they are about.
    """

    def __init__(self, data, text=""):
        self.data = data
        self.text = text

    @property
    def gpu(self):
        return self.data["gpu"]

    @property
    def core(self):
        return self.data["core"]

    @property
    def cycles(self):
        return self.data["cycles"]

    @property
    def microseconds(self):
        return self.cycles / self.data["coreMHz"] if self.data["coreMHz"] else 0.0

    @property
    def warnings(self):
        """What the run and its kernels warn of, each once."""
        every = list(self.data.get("warnings", ()))
        for kernel in self.data["kernels"]:
            every += kernel["warnings"]
        return list(dict.fromkeys(every))

    @property
    def unfinished(self):
        """Why it ended before its last kernel did, or None."""
        return self.data.get("unfinished")

    @property
    def table(self):
        """One dictionary per kernel: the row that `warpline run --csv` writes."""
        launches = {activity["kernel"]: activity for activity in self.data.get("activities", ())}
        return [_row(self, kernel, launches.get(kernel["id"])) for kernel in self.data["kernels"]]

    @property
    def kernels(self):
        """Frame: a kernel's time, work and occupancy, and its energy where the GPU says what events cost."""
        apart = set()
        for kernel in self.data["kernels"]:
            apart.update(kernel["statistics"])
            apart.update("stall." + reason for reason in kernel["stalls"])
        apart.update(("gpu", "core"))
        rows = [{k: v for k, v in row.items() if k not in apart} for row in self.table]
        return _frame(rows, "Run.kernels").set_index("id")

    @property
    def counters(self):
        """Frame: every counter of a kernel, e.g. l2.readSectors."""
        rows = [{"id": k["id"], **k["statistics"]} for k in self.data["kernels"]]
        return _frame(rows, "Run.counters").set_index("id")

    @property
    def stalls(self):
        """Frame: warp-cycles by what the warps waited for; 'selected' is work."""
        rows = [{"id": k["id"], **_lower(k["stalls"])} for k in self.data["kernels"]]
        return _frame(rows, "Run.stalls").set_index("id").fillna(0)

    @property
    def lines(self):
        """Frame: one row per kernel and instruction; needs run(..., profile=True)."""
        rows = []
        for kernel, profile in self._profiles("lines"):
            for line in profile["lines"]:
                stalls = _lower(line["stalls"])
                row = {"id": kernel["id"]}
                for name, value in line.items():
                    if name == "work":
                        row["flops"] = value["flops"] * line["lanes"]
                    elif name == "source":
                        row["file"], row["line"] = (value["file"], value["line"]) if value else (None, 0)
                    elif name not in ("row", "stalls"):
                        row[name] = value
                row["warpCycles"] = sum(stalls.values())
                row.update(("stall." + reason, cycles) for reason, cycles in stalls.items())
                rows.append(row)
        frame = _frame(rows, "Run.lines").set_index(["id", "pc"])
        waits = [name for name in frame.columns if name.startswith("stall.")]
        frame[waits] = frame[waits].fillna(0)
        return frame

    @property
    def throughputs(self):
        """Frame: what each part of the machine did against what it could; needs profile=True."""
        rows = []
        for kernel, profile in self._profiles("throughputs"):
            for part in profile["throughputs"]:
                peak = part["peakPerCycle"] * kernel["cycles"]
                rows.append({"id": kernel["id"], **part, "share": part["done"] / peak if peak else 0.0})
        return _frame(rows, "Run.throughputs").set_index(["id", "part"])

    def series(self, kernel=None):
        """Frame: warps by state over the cycles of a kernel (the first if not named); needs profile=True."""
        for found, profile in self._profiles("series"):
            if kernel in (None, found["id"]):
                series = profile["series"]
                width = series["bucketCycles"]
                states = {name: values for name, values in _lower(series["states"]).items()}
                frame = _frame(states, "Run.series") / width
                frame.index = [i * width for i in range(len(frame))]
                frame.index.name = "cycle"
                return frame
        raise KeyError(f"no kernel has the number {kernel}")

    @property
    def settings(self):
        """Frame: every field of the GPU, as text with its unit."""
        configuration = self.data.get("configuration", {})
        rows = [{"field": name, "value": value} for name, value in configuration.items()]
        return _frame(rows, "Run.settings", ["field", "value"]).set_index("field")

    @property
    def alternatives(self):
        """What `what_if=` asked for: pairs of settings and Run."""
        return [(tuple(a["settings"]), Run(a["result"])) for a in self.data.get("alternatives", ())]

    def _profiles(self, what):
        found = [(k, k["profile"]) for k in self.data["kernels"] if k.get("profile") is not None]
        if not found:
            raise ValueError(f"Run.{what} needs a profile: run(..., profile=True)")
        return found

    def save(self, file):
        """Writes the data, as `warpline run --json` does; `warpline.load` reads it."""
        with open(file, "w", encoding="utf-8") as out:
            json.dump(self.data, out, indent=2)
            out.write("\n")

    def __str__(self):
        return self.text or repr(self)

    def __repr__(self):
        kernels = len(self.data["kernels"])
        return (
            f"<warpline.Run: {kernels} kernel{'' if kernels == 1 else 's'} on {self.gpu}, {self.core} core,"
            f" {self.cycles:,} cycles, {self.microseconds:.2f} us{', unfinished' if self.unfinished else ''}>"
        )

    def _repr_html_(self):
        table = self.table
        shown = [name for name in _COLUMNS if any(name in row for row in table)]
        cells = "".join(
            "<tr>" + "".join(f"<td>{_cell(row.get(name))}</td>" for name in shown) + "</tr>"
            for row in table[:50]
        )
        left_out = len(table) - 50
        notes = [f"and {left_out:,} more kernels"] if left_out > 0 else []
        notes += [f"unfinished: {self.unfinished}"] if self.unfinished else []
        notes += [f"warning: {w}" for w in self.warnings]
        return (
            f"<b>{html.escape(self.gpu)}</b>, {html.escape(self.core)} core: {self.cycles:,} cycles,"
            f" {self.microseconds:.2f} &micro;s<table><tr>"
            + "".join(f"<th>{name}</th>" for name in shown)
            + f"</tr>{cells}</table>"
            + "".join(f"<div>{html.escape(note)}</div>" for note in notes)
        )


def _cell(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else html.escape(str(value))


def _lower(stalls):
    return {reason.lower(): value for reason, value in stalls.items()}


def _row(run, kernel, activity):
    """A kernel as a row of the table that `warpline run --csv` writes."""
    timed = run.core != "functional"
    row = {"gpu": run.gpu, "core": run.core, "id": kernel["id"], "kernel": kernel["name"]}
    if timed:
        cycles, mhz = kernel["cycles"], run.data["coreMHz"]
        row.update(cycles=cycles, microseconds=cycles / mhz if mhz else 0.0)
        row.update(start=kernel["start"], end=kernel["end"])
        if activity is not None:
            row.update((name, activity[name]) for name in ("queue", "submitted", "taken", "complete"))
    sampling = kernel.get("sampling")
    if sampling is not None:
        row["sampled_plus_minus"] = sampling["plusMinus"]
        row["simulated_instructions"] = sampling["simulatedInstructions"]
    row["warp_instructions"] = kernel["warpInstructions"]
    row["thread_instructions"] = kernel["threadInstructions"]
    if timed:
        row["ipc"] = kernel["warpInstructions"] / kernel["cycles"] if kernel["cycles"] else 0.0
        row.update(occupancy=kernel["occupancy"], limiter=kernel["limiter"])
    energy = kernel.get("energy")
    if energy is not None:
        joules, seconds = energy["joules"], energy["seconds"]
        row["joules"] = joules
        row["watts"] = joules / seconds if seconds else 0.0
        row["energy_delay"] = joules * seconds
        row.update(("joules." + part.replace(" ", "_"), its) for part, its in energy["parts"].items())
    row.update(kernel["statistics"])
    row.update(("stall." + reason, cycles) for reason, cycles in kernel["stalls"].items())
    if run.unfinished is not None:
        row["unfinished"] = run.unfinished
    return row


def load(file):
    """Reads a result that `warpline run --json` or Run.save wrote."""
    with open(file, encoding="utf-8") as text:
        data = json.load(text)
    if not isinstance(data, dict) or "kernels" not in data or "coreMHz" not in data:
        raise ValueError(f"{file}: found no kernels, expected a run's result")
    return Run(data)


def compare(first, second):
    """Frame: kernels of two runs side by side, paired by launch number, largest change first.

    cycles of both, the change of them, and the three states that changed most.
    """
    pandas = need("pandas", "compare")
    others = {k["id"]: k for k in second.data["kernels"]}
    rows = []
    for kernel in first.data["kernels"]:
        other = others.get(kernel["id"])
        if other is None:
            continue
        before, after = _lower(kernel["stalls"]), _lower(other["stalls"])
        change = {r: after.get(r, 0) - before.get(r, 0) for r in {**before, **after}}
        most = sorted(change, key=lambda reason: -abs(change[reason]))[:3]
        rows.append(
            {
                "id": kernel["id"],
                "kernel": kernel["name"],
                "first": kernel["cycles"],
                "second": other["cycles"],
                "change": other["cycles"] / kernel["cycles"] - 1 if kernel["cycles"] else float("nan"),
                "states": ", ".join(f"{r} {change[r]:+,}" for r in most if change[r]),
            }
        )
    frame = pandas.DataFrame(rows, columns=["id", "kernel", "first", "second", "change", "states"])
    return frame.sort_values("change", key=abs, ascending=False, kind="stable").set_index("id")
