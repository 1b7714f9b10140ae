"""Shows how far a simulation is: in a notebook, on a terminal, to a function, or to nobody."""

import html
import sys
import time

_FIRST = 0.5
_WIDTH = 30


def text(event):
    """What an event says, in words, and how much of the whole is done (None if that is not known)."""
    if event["event"] == "points":
        done, failed, every = event["done"], event["failed"], event["all"]
        words = f"{done + failed} of {every} points" + (f" ({failed} failed)" if failed else "")
        return words, (done + failed) / every if every else None
    words = (
        f"kernel {event['kernel']} {event['name'][:40]}: {event['blocksDone']:,} of"
        f" {event['blocks']:,} blocks, cycle {event['cycles']:,}"
    )
    return words, event["share"]


def in_notebook():
    """Whether IPython runs in something that shows HTML."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and getattr(shell, "kernel", None) is not None


class _Bar:
    def __init__(self):
        self._first = time.monotonic() + _FIRST

    def __call__(self, event):
        if time.monotonic() >= self._first:
            self.show(*text(event))


class Terminal(_Bar):
    def __init__(self, stream=None):
        super().__init__()
        self._stream = stream or sys.stderr
        self._shown = 0

    def show(self, words, share):
        if share is not None:
            filled = round(share * _WIDTH)
            words = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {words}"
        self._stream.write("\r" + words.ljust(self._shown))
        self._stream.flush()
        self._shown = len(words)

    def close(self):
        if self._shown:
            self._stream.write("\r" + " " * self._shown + "\r")
            self._stream.flush()


class Notebook(_Bar):
    def __init__(self):
        super().__init__()
        self._display = None

    def show(self, words, share):
        from IPython.display import HTML, display

        value = f" value='{share:.3f}'" if share is not None else ""
        bar = HTML(f"<progress max='1'{value}></progress> <small>{html.escape(words)}</small>")
        if self._display is None:
            self._display = display(bar, display_id=True)
        else:
            self._display.update(bar)

    def close(self):
        if self._display is not None:
            from IPython.display import HTML

            self._display.update(HTML(""))


class Function:
    def __init__(self, function):
        self._function = function

    def __call__(self, event):
        self._function(event)

    def close(self):
        pass


def of(wish):
    """What `progress=` asks for: True is what fits, a function gets each event, False is nothing."""
    if callable(wish):
        return Function(wish)
    if wish and in_notebook():
        return Notebook()
    if wish and sys.stderr is not None and sys.stderr.isatty():
        return Terminal()
    return Function(lambda event: None)
