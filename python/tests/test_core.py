"""What needs nothing but Python."""

import csv
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import warpline
from warpline import launcher, progress, session

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRACES = os.path.join(ROOT, "examples", "traces")
VECADD = os.path.join(TRACES, "vecadd")
LONG = os.path.join(TRACES, "sgemm_tiled.wlt")


def gone(pid):
    """Whether a process has ended (a dead one that nobody has waited for yet counts)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


class Running(unittest.TestCase):
    def test_runs_share_one_process_and_give_the_same(self):
        first = warpline.run(VECADD, gpu="h200")
        pid = session.current().pid
        second = warpline.run(VECADD, gpu="h200")
        self.assertEqual(session.current().pid, pid)
        self.assertGreater(first.cycles, 0)
        self.assertEqual(first.data["kernels"], second.data["kernels"])
        self.assertIn(f"{first.cycles:,}", str(first))

    def test_the_table_is_the_one_that_the_command_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "out.csv")
            run = warpline.run(VECADD, gpu="h200", csv=file)
            with open(file, encoding="utf-8") as text:
                rows = list(csv.DictReader(text))
        self.assertEqual(len(rows), len(run.table))
        for written, ours in zip(rows, run.table):
            self.assertEqual(list(written), list(ours))
            for name, value in ours.items():
                if isinstance(value, float):
                    self.assertAlmostEqual(float(written[name]), value, delta=1e-9 * abs(value))
                else:
                    self.assertEqual(written[name], str(value), name)

    def test_fields_of_the_gpu_are_set(self):
        run = warpline.run(VECADD, gpu="h200", set={"sm.count": 2})
        self.assertEqual(run.data["configuration"]["sm.count"], "2")

    def test_paths_are_seen_from_where_python_is(self):
        before = os.getcwd()
        try:
            os.chdir(TRACES)
            self.assertGreater(warpline.run("vecadd", gpu="h200").cycles, 0)
        finally:
            os.chdir(before)

    def test_an_alternative_is_a_run_too(self):
        run = warpline.run(VECADD, gpu="h200", what_if={"sm.count": 1})
        [(settings, other)] = run.alternatives
        self.assertEqual(settings, ("sm.count=1",))
        self.assertGreater(other.cycles, run.cycles)
        self.assertEqual(other.table[0]["id"], run.table[0]["id"])
        self.assertIn("stall.dram", other.table[0])

    def test_a_saved_result_can_be_read_again(self):
        run = warpline.run(VECADD, gpu="h200")
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "run.json")
            run.save(file)
            self.assertEqual(warpline.load(file).table, run.table)
            with open(file, "w", encoding="utf-8") as out:
                out.write("{}")
            with self.assertRaisesRegex(ValueError, "expected a run's result"):
                warpline.load(file)

    def test_two_threads_may_run_at_once(self):
        alone = warpline.run(VECADD, gpu="h200").cycles
        cycles = []
        threads = [
            threading.Thread(target=lambda: cycles.append(warpline.run(VECADD, gpu="h200").cycles))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(cycles, [alone, alone])

    def test_a_warning_of_the_result_is_a_warning_here(self):
        with self.assertWarnsRegex(warpline.ResultWarning, "classic.l1"):
            warpline.run(VECADD, gpu="h200", set={"classic.l1.flush": True})

    def test_a_notebook_shows_a_table(self):
        html = warpline.run(VECADD, gpu="h200")._repr_html_()
        self.assertIn("<th>cycles</th>", html)
        self.assertIn("vecadd", html)


class Failing(unittest.TestCase):
    def test_wrong_use(self):
        with self.assertRaises(warpline.UsageError) as raised:
            warpline.run(VECADD, colt=True)
        self.assertEqual(raised.exception.code, 2)
        self.assertIn("--colt", raised.exception.message)

    def test_bad_input(self):
        with self.assertRaisesRegex(warpline.InputError, "no such file or folder") as raised:
            warpline.run(os.path.join(TRACES, "nosuch.wlt"))
        self.assertEqual(raised.exception.code, 3)
        with self.assertRaisesRegex(warpline.InputError, "did you mean count"):
            warpline.run(VECADD, gpu="h200", set={"sm.cout": 1})

    def test_a_limit(self):
        with self.assertRaises(warpline.Unfinished) as raised:
            warpline.run(VECADD, gpu="h200", max_cycles=10)
        self.assertEqual(raised.exception.code, 4)

    def test_a_command_that_a_session_does_not_run(self):
        with self.assertRaisesRegex(warpline.UsageError, "serve: expected one of"):
            warpline.command("serve")

    def test_pandas_is_named_where_it_is_missing(self):
        run = warpline.run(VECADD, gpu="h200")
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ImportError, "Run.kernels needs pandas"):
                run.kernels

    def test_matplotlib_is_named_where_it_is_missing(self):
        run = warpline.run(VECADD, gpu="h200")
        with mock.patch.dict(sys.modules, {"matplotlib": None, "matplotlib.pyplot": None}):
            with self.assertRaisesRegex(ImportError, "plot.stalls needs matplotlib"):
                warpline.plot.stalls(run)


class Watching(unittest.TestCase):
    def test_a_function_is_told_how_far_it_is(self):
        events = []
        warpline.run(VECADD, gpu="h200", progress=events.append)
        self.assertTrue(events)
        self.assertEqual({e["event"] for e in events}, {"progress"})
        words, share = progress.text(events[-1])
        self.assertIn("kernel 1", words)
        self.assertTrue(0 <= share <= 1)

    def test_a_terminal_shows_a_bar_and_is_left_clean(self):
        class Screen:
            text = ""

            def write(self, text):
                self.text += text

            def flush(self):
                pass

        screen = Screen()
        bar = progress.Terminal(screen)
        bar.show("half", 0.5)
        bar.close()
        self.assertIn("[###############...............] half", screen.text)
        self.assertTrue(screen.text.endswith("\r"))
        self.assertEqual(screen.text.rpartition("\r")[0].rpartition("\r")[2].strip(), "")


class Stopping(unittest.TestCase):
    def setUp(self):
        # A shell starts what runs in the background with Ctrl-C ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

    def test_control_c_stops_the_simulation_and_keeps_the_process(self):
        warpline.run(VECADD, gpu="h200")
        pid = session.current().pid

        def interrupt(event):
            os.kill(os.getpid(), signal.SIGINT)

        began = time.monotonic()
        with self.assertRaises(warpline.Interrupted) as raised:
            warpline.run(LONG, gpu="h200", set={"sm.count": 1}, progress=interrupt)
        self.assertIsInstance(raised.exception, KeyboardInterrupt)
        self.assertLess(time.monotonic() - began, session.PATIENCE)
        self.assertEqual(session.current().pid, pid)
        self.assertGreater(warpline.run(VECADD, gpu="h200").cycles, 0)

    def test_a_process_that_dies_is_told_and_replaced(self):
        warpline.run(VECADD, gpu="h200")
        pid = session.current().pid

        def kill(event):
            os.kill(pid, signal.SIGKILL)

        with self.assertRaisesRegex(warpline.SessionError, "process ended .signal 9"):
            warpline.run(LONG, gpu="h200", set={"sm.count": 1}, progress=kill)
        self.assertGreater(warpline.run(VECADD, gpu="h200").cycles, 0)
        self.assertNotEqual(session.current().pid, pid)

    def test_it_ends_when_python_is_killed(self):
        program = (
            "import os, signal, warpline\n"
            "from warpline import session\n"
            "def kill(event):\n"
            "    print(session.current().pid, flush=True)\n"
            "    os.kill(os.getpid(), signal.SIGKILL)\n"
            f"warpline.run({LONG!r}, gpu='h200', set={{'sm.count': 1}}, progress=kill)\n"
        )
        ended = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        self.assertEqual(ended.returncode, -signal.SIGKILL)
        pid = int(ended.stdout)
        until = time.monotonic() + 30
        while not gone(pid) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertTrue(gone(pid))

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_forked_process_does_not_use_its_parents(self):
        warpline.run(VECADD, gpu="h200")
        child = os.fork()
        if child == 0:
            os._exit(0 if session._current is None else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertGreater(warpline.run(VECADD, gpu="h200").cycles, 0)


class Finding(unittest.TestCase):
    def script(self, folder, text):
        file = os.path.join(folder, "warpline")
        with open(file, "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\n" + text + "\n")
        os.chmod(file, 0o755)
        return file

    def test_the_folder_that_the_environment_names(self):
        with tempfile.TemporaryDirectory() as folder:
            with mock.patch.dict(os.environ, {"WARPLINE_HOME": folder}):
                with self.assertRaisesRegex(warpline.SessionError, "found no file warpline"):
                    launcher.find()
                self.assertEqual(launcher.find() if self.script(folder, "") else None,
                                 os.path.join(folder, "warpline"))

    def test_the_folder_of_the_package(self):
        environment = {k: v for k, v in os.environ.items() if k != "WARPLINE_HOME"}
        with mock.patch.dict(os.environ, environment, clear=True):
            self.assertEqual(launcher.find(), os.path.join(ROOT, "warpline"))

    def test_the_path_comes_last(self):
        with tempfile.TemporaryDirectory() as folder:
            script = self.script(folder, "")
            with mock.patch.dict(os.environ, {"PATH": folder, "WARPLINE_HOME": ""}):
                with mock.patch.object(launcher, "__file__", folder + "/a/b/c.py"):
                    self.assertEqual(launcher.find(), script)
                    os.remove(script)
                    with self.assertRaisesRegex(warpline.SessionError, "set WARPLINE_HOME"):
                        launcher.find()

    def test_another_protocol_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            fake = self.script(folder, """echo '{"protocol":99,"version":"9.0"}'""")
            with self.assertRaisesRegex(warpline.SessionError, "9.0 speaks protocol 99"):
                session.Session([fake])

    def test_what_a_launcher_says_that_cannot_start_is_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            fake = self.script(folder, "echo 'no Java found' >&2; exit 1")
            with self.assertRaisesRegex(warpline.SessionError, "no Java found"):
                session.Session([fake])


if __name__ == "__main__":
    unittest.main()
