"""Warpline, a cycle-level GPU simulator, from Python.

    import warpline
    run = warpline.run("reduce.wlt", gpu="h200", set={"flowMemory.l2MiB": "2x"})
    run.kernels

One Java process answers all calls; it starts with the first and ends with Python.
"""

import json
import os
import tempfile
import warnings as _warnings

from . import plot, session
from .errors import (
    CheckFailed,
    Error,
    InputError,
    InternalError,
    Interrupted,
    ResultWarning,
    SessionError,
    Unfinished,
    UsageError,
    from_code,
)
from .optional import need as _need
from .progress import of as _progress
from .result import Run, compare, load
from .session import close

__version__ = "0.1.0"

__all__ = [
    "CheckFailed", "Error", "InputError", "InternalError", "Interrupted", "ResultWarning", "Run",
    "SessionError", "Unfinished", "UsageError", "close", "command", "compare", "fields", "gpus",
    "load", "plot", "run", "sweep",
]


def _words(options):
    """Keyword arguments as options: max_cycles=5 is --max-cycles 5; True is the option alone."""
    words = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            words += [option] if one is True else [f"{option}={_text(one)}"]
    return words


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _settings(fields):
    """{"sm.count": 66} as FIELD=VALUE, which a list of such texts may be already."""
    if isinstance(fields, dict):
        return [f"{name}={_text(value)}" for name, value in fields.items()]
    return [fields] if isinstance(fields, str) else list(fields or [])


def _gpu(gpu):
    """A preset's name as it is, a file's seen from here."""
    if gpu is None:
        return None
    text = os.fspath(gpu)
    is_file = text.endswith((".yaml", ".yml")) or os.sep in text
    return os.path.abspath(text) if is_file else text


def _message(messages):
    """What an error says, without the warnings before it."""
    lines = [m for m in messages.splitlines() if not m.startswith(("warning: ", "no --gpu given"))]
    return "\n".join(line[len("warpline: "):] if line.startswith("warpline: ") else line for line in lines)


def _call(words, progress=False):
    bar = _progress(progress)
    try:
        return session.current().call(words, bar)
    finally:
        bar.close()


def _run_of(done):
    return Run(done["result"], done["text"]) if done and "result" in done else None


def run(trace, gpu=None, set=None, what_if=None, progress=True, **options):
    """Simulates a traced program (NVIDIA) or a launch file (AMD); a Run.

    gpu: preset or YAML file (default: what the program was compiled for)
    set: fields of the GPU, {"sm.count": 66, "flowMemory.l2MiB": "2x"}
    what_if: further simulations, each a dictionary like `set`
    progress: True for a bar, False for none, or a function that gets each event
    options: those of `warpline run`, e.g. kernel="2-5", core="classic", profile=True, cold=True,
        threads=4, max_cycles=10**6, report="report.html"
    """
    words = ["run", os.fspath(trace), *_words({"gpu": _gpu(gpu), "set": _settings(set)})]
    if isinstance(what_if, (dict, str)):
        what_if = [what_if]
    words += _words({"what_if": [",".join(_settings(alternative)) for alternative in what_if or []]})
    for name in ("json", "csv"):
        if options.get(name) is not None:
            options[name] = os.path.abspath(options[name])
    words += _words(options)
    try:
        done = _call(words, progress)
    except KeyboardInterrupt as e:
        raise Interrupted(_run_of(e.args[0] if e.args else None)) from None
    result = _run_of(done)
    if done["code"] != 0:
        raise from_code(done["code"], _message(done["messages"]), result)
    for warning in result.warnings:
        _warnings.warn(warning, ResultWarning, stacklevel=2)
    return result


def command(*words):
    """What a command prints: run, sweep, results, gpus, inspect or disasm, as on the command line."""
    done = _call([os.fspath(word) for word in words])
    if done["code"] != 0:
        raise from_code(done["code"], _message(done["messages"]))
    return done["text"]


def gpus():
    """Frame: the GPUs that Warpline knows, and how far each model of their cores was validated."""
    rows = []
    for known in json.loads(command("gpus", "--json=-")):
        models = known.pop("models")
        rows.append({**known, **{core: said["validation"] for core, said in models.items()}})
    return _need("pandas", "gpus").DataFrame(rows).set_index("name")


def fields(gpu, set=None):
    """Frame: every field of a GPU with value, unit, meaning and source."""
    words = ["gpus", "show", _gpu(gpu), "--json=-", *_words({"set": _settings(set)})]
    return _need("pandas", "fields").DataFrame(json.loads(command(*words))).set_index("path")


def sweep(traces, gpus=None, set=None, store=None, progress=True, threads=None, **study):
    """Simulates traces on GPUs whose fields vary; a frame with one row per point.

    set: fields; a list of values is varied, all combinations are simulated
    store: file that keeps results, so that the same call goes on after any end and simulates
        nothing twice (default: nothing is kept)
    threads: points at a time (default: the processors of this machine)
    study: more of a study file (docs/studies.md), e.g. where=["sm.count * sm.warps < 4000"],
        kernels=[1], sample="5%"
    """
    pandas = _need("pandas", "sweep")

    def listed(value):
        return [value] if isinstance(value, (str, os.PathLike)) else list(value)

    fixed, varied = {}, {}
    for field, value in (set or {}).items():
        (varied if isinstance(value, (list, tuple, range)) else fixed)[field] = value
    plan = {"traces": [os.path.abspath(trace) for trace in listed(traces)], **study}
    if gpus is not None:
        plan["gpus"] = [_gpu(gpu) for gpu in listed(gpus)]
    if fixed:
        plan["set"] = fixed
    if varied:
        plan["vary"] = {field: [_plain(v) for v in values] for field, values in varied.items()}
    with tempfile.TemporaryDirectory(prefix="warpline-") as folder:
        file = os.path.join(folder, "sweep.yaml")
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"study": "sweep", **plan}, out, indent=1)
        where = os.path.abspath(store) if store is not None else os.path.join(folder, "sweep.db")
        words = ["sweep", file, f"--store={where}", *_words({"threads": threads})]
        try:
            done = _call(words, progress)
        except KeyboardInterrupt:
            raise Interrupted() from None
        if done["code"] not in (0, 4):
            raise from_code(done["code"], _message(done["messages"]))
        rows = json.loads(command("results", where, "--study=" + plan.get("study", "sweep"), "--json=-"))
    if done["code"] == 4:
        _warnings.warn(_message(done["messages"]), ResultWarning, stacklevel=2)
    return pandas.DataFrame(rows).set_index("point")


def _plain(value):
    """A number of numpy's as Python's, which JSON knows."""
    return value.item() if hasattr(value, "item") else value
