"""What needs pandas and matplotlib."""

import json
import os
import tempfile
import unittest

import warpline

from .test_core import ROOT, VECADD

try:
    import matplotlib
    import pandas

    matplotlib.use("Agg")
    MISSING = None
except ImportError as e:
    MISSING = str(e)

NOTEBOOK = os.path.join(ROOT, "docs", "python.ipynb")


@unittest.skipIf(MISSING, MISSING)
class Frames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = warpline.run(VECADD, gpu="h200", profile=True)

    def test_kernels(self):
        frame = self.run_.kernels
        self.assertEqual(list(frame.index), [1])
        self.assertEqual(frame.loc[1, "cycles"], self.run_.cycles)
        self.assertAlmostEqual(frame.loc[1, "microseconds"], self.run_.microseconds)
        self.assertNotIn("stall.wait", frame.columns)

    def test_counters(self):
        counters = self.run_.counters
        self.assertEqual(counters.loc[1, "issue.warpInstructions"],
                         self.run_.kernels.loc[1, "warp_instructions"])

    def test_the_lines_add_up_to_the_kernel(self):
        lines = self.run_.lines
        waits = lines[[c for c in lines.columns if c.startswith("stall.")]].sum()
        stalls = self.run_.stalls.loc[1]
        for reason in stalls.index:
            self.assertEqual(waits["stall." + reason], stalls[reason], reason)
        self.assertEqual(lines["executed"].sum(), self.run_.kernels.loc[1, "warp_instructions"])

    def test_the_series_adds_up_too(self):
        width = self.run_.data["kernels"][0]["profile"]["series"]["bucketCycles"]
        self.assertAlmostEqual(self.run_.series().to_numpy().sum() * width,
                               self.run_.stalls.to_numpy().sum())
        with self.assertRaises(KeyError):
            self.run_.series(7)

    def test_no_part_does_more_than_it_can(self):
        self.assertTrue((self.run_.throughputs["share"] <= 1).all())

    def test_without_a_profile_there_are_no_lines(self):
        with self.assertRaisesRegex(ValueError, "profile=True"):
            warpline.run(VECADD, gpu="h200").lines

    def test_gpus_and_their_fields(self):
        self.assertEqual(warpline.gpus().loc["h200", "cores"], 132)
        self.assertEqual(warpline.fields("h200", set={"sm.count": 5}).loc["sm.count", "value"], "5")

    def test_a_comparison_says_what_changed(self):
        other = warpline.run(VECADD, gpu="h200", set={"sm.count": 1})
        frame = warpline.compare(self.run_, other)
        self.assertEqual(frame.loc[1, "second"], other.cycles)
        self.assertAlmostEqual(frame.loc[1, "change"], other.cycles / self.run_.cycles - 1)

    def test_a_sweep_has_a_row_for_each_point_and_simulates_nothing_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "sweep.db")

            def sweep(counts):
                events = []
                frame = warpline.sweep(VECADD, "h200", set={"sm.count": counts, "sm.warps": 32},
                                       store=store, progress=events.append)
                return frame, events

            frame, events = sweep([1, 4])
            self.assertEqual(list(frame["sm.count"]), [1, 4])
            self.assertGreater(frame["cycles"].iloc[0], frame["cycles"].iloc[1])
            self.assertEqual(events[-1]["all"], 2)
            again, _ = sweep([1, 4])
            self.assertEqual(list(again["seconds"]), list(frame["seconds"]))
        with self.assertRaisesRegex(warpline.InputError, "sm.cout"):
            warpline.sweep(VECADD, "h200", set={"sm.cout": [1, 2]})


@unittest.skipIf(MISSING, MISSING)
class Plots(unittest.TestCase):
    def tearDown(self):
        matplotlib.pyplot.close("all")

    def test_the_stacked_bars_are_whole(self):
        run = warpline.run(VECADD, gpu="h200")
        ax = warpline.plot.stalls(run, run, labels=["a", "b"])
        ends = {}
        for bar in ax.patches:
            ends[bar.get_y()] = max(ends.get(bar.get_y(), 0), bar.get_x() + bar.get_width())
        self.assertEqual(len(ends), 2)
        for end in ends.values():
            self.assertAlmostEqual(end, 100)

    def test_a_kernel_is_below_its_roof(self):
        run = warpline.run(VECADD, gpu="h200", profile=True)
        ax = warpline.plot.roofline(run)
        roof = max(line.get_ydata().max() for line in ax.lines if len(line.get_ydata()) == 3)
        points = [line for line in ax.lines if len(line.get_ydata()) == 1]
        self.assertEqual(len(points), 1)
        self.assertLess(points[0].get_ydata()[0], roof)

    def test_a_sweep_is_a_line_for_each_trace(self):
        frame = pandas.DataFrame({"trace": ["a", "b"] * 2, "gpu": "h200", "core": "modern",
                                  "sm.count": [1, 1, 2, 2], "microseconds": [4.0, 8, 2, 4]})
        ax = warpline.plot.sweep(frame, "sm.count")
        self.assertEqual([list(line.get_ydata()) for line in ax.lines], [[4, 2], [8, 4]])
        with self.assertRaisesRegex(KeyError, "no such column"):
            warpline.plot.sweep(frame, "sm.cout")

    def test_a_kernel_over_time(self):
        run = warpline.run(VECADD, gpu="h200", profile=True)
        self.assertTrue(warpline.plot.series(run).collections)


@unittest.skipIf(MISSING, MISSING)
class Notebook(unittest.TestCase):
    def test_every_cell_of_the_notebook_runs(self):
        """On a small trace instead of its own, unless WARPLINE_WHOLE_NOTEBOOK is set."""
        whole = os.environ.get("WARPLINE_WHOLE_NOTEBOOK")
        with open(NOTEBOOK, encoding="utf-8") as text:
            cells = json.load(text)["cells"]
        names = {}
        before = os.getcwd()
        try:
            os.chdir(os.path.dirname(NOTEBOOK))
            for cell in cells:
                if cell["cell_type"] == "code":
                    source = "".join(cell["source"])
                    source = source.replace("%matplotlib inline", "")
                    if not whole:
                        source = source.replace("reduce.wlt", "vecadd")
                    exec(compile(source, NOTEBOOK, "exec"), names)
        finally:
            os.chdir(before)
            matplotlib.pyplot.close("all")

    def test_the_example_of_the_page_works(self):
        page = os.path.join(ROOT, "docs", "python.md")
        with open(page, encoding="utf-8") as text:
            source = text.read().split("```python\n")[1].split("```")[0]
        before = os.getcwd()
        try:
            os.chdir(ROOT)
            exec(compile(source.replace("reduce.wlt", "vecadd"), page, "exec"), {})
        finally:
            os.chdir(before)
            matplotlib.pyplot.close("all")


if __name__ == "__main__":
    unittest.main()
