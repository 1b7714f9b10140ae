"""One warm Java process, and the protocol it speaks: lines of JSON (docs/python.md)."""

import atexit
import collections
import json
import os
import queue
import subprocess
import sys
import threading

from . import launcher
from .errors import SessionError

PROTOCOL = 1

# Seconds that a simulation may take to stop before its process is ended.
PATIENCE = 20


class Session:
    """A process of Warpline. It ends when this one does, or closes it."""

    def __init__(self, command=None):
        self._command = command or [launcher.find(), "session"]
        self._numbers = 0
        self._waiting = {}
        self._lock = threading.Lock()
        self._last_words = collections.deque(maxlen=40)
        self._owner = os.getpid()
        try:
            # A group of its own: the terminal's Ctrl-C is for Python, which asks Java to stop.
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except OSError as e:
            raise SessionError(f"{self._command[0]}: cannot be started: {e.strerror}") from e
        self._errors = threading.Thread(target=self._listen_to_errors, daemon=True)
        self._errors.start()
        try:
            self.about = self._first_words()
        except BaseException:
            self.kill()
            raise
        threading.Thread(target=self._listen, daemon=True).start()

    def _first_words(self):
        line = self._process.stdout.readline()
        if not line:
            raise SessionError(self._obituary())
        try:
            about = json.loads(line)
        except ValueError as e:
            raise SessionError(f"{self._command[0]}: is no Warpline, said {line.strip()!r}") from e
        if about.get("protocol") != PROTOCOL:
            raise SessionError(
                f"{self._command[0]}: Warpline {about.get('version')} speaks protocol"
                f" {about.get('protocol')}, this package speaks {PROTOCOL}; take both from one release"
            )
        return about

    @property
    def pid(self):
        return self._process.pid

    def usable(self):
        """Whether it lives and is this process's, not that of one it was forked from."""
        return self._owner == os.getpid() and self._process.poll() is None

    def _listen_to_errors(self):
        for line in self._process.stderr:
            self._last_words.append(line.rstrip())
            # A clone builds itself first, which takes a minute or two.
            if line.startswith("warpline: building") and sys.stderr is not None:
                sys.stderr.write(line)

    def _listen(self):
        for line in self._process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            with self._lock:
                waiting = self._waiting.get(event.get("id"))
            if waiting is not None:
                waiting.put(event)
        with self._lock:
            for waiting in self._waiting.values():
                waiting.put(None)

    def _send(self, request):
        try:
            with self._lock:
                self._process.stdin.write(json.dumps(request) + "\n")
                self._process.stdin.flush()
        except (OSError, ValueError) as e:
            raise SessionError(self._obituary()) from e

    def _obituary(self):
        try:
            code = self._process.wait(5)
        except subprocess.TimeoutExpired:
            return f"{self._command[0]}: Warpline's process no longer listens"
        self._errors.join(2)
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        said = "\n".join(self._last_words)
        return f"{self._command[0]}: Warpline's process ended ({how})" + (f":\n{said}" if said else "")

    def call(self, arguments, on_event=None):
        """Runs a command; its last event. Events before are given to on_event.

        On Ctrl-C the command is stopped, and KeyboardInterrupt is raised when it has, with the last
        event as its argument.
        """
        events = queue.Queue()
        with self._lock:
            self._numbers += 1
            number = self._numbers
            self._waiting[number] = events
        try:
            self._send(
                {"id": number, "arguments": [str(word) for word in arguments], "folder": os.getcwd()}
            )
            try:
                return self._await(events, on_event)
            except KeyboardInterrupt:
                raise KeyboardInterrupt(self._cancel(number, events)) from None
        finally:
            with self._lock:
                self._waiting.pop(number, None)

    def _await(self, events, on_event=None, timeout=None):
        while True:
            event = events.get(timeout=timeout)
            if event is None:
                raise SessionError(self._obituary())
            if event["event"] == "done":
                return event
            if on_event is not None:
                on_event(event)

    def _cancel(self, number, events):
        try:
            self._send({"cancel": number})
            return self._await(events, timeout=PATIENCE)
        except SessionError:
            return None
        except (queue.Empty, KeyboardInterrupt):
            # It does not stop, or whoever waits is out of patience.
            self.kill()
            return None

    def close(self):
        """Ends the process; what runs in it is stopped."""
        if self._owner != os.getpid():
            return
        try:
            self._process.stdin.close()
        except OSError:
            pass
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self):
        self._process.kill()
        self._process.wait()

    def forget(self):
        """In a forked process: lets go of what belongs to the other."""
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                os.close(pipe.fileno())
            except (OSError, ValueError):
                pass


_current = None
_starting = threading.Lock()


def current():
    """The one process of this program, started if there is none or the last one ended."""
    global _current
    with _starting:
        if _current is None or not _current.usable():
            _current = Session()
        return _current


def close():
    """Ends Warpline's process; the next call starts another."""
    global _current
    with _starting:
        if _current is not None:
            _current.close()
            _current = None


def _forked():
    global _current, _starting
    _starting = threading.Lock()
    if _current is not None:
        _current.forget()
        _current = None


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
