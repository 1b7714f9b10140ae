"""What can go wrong, by Warpline's exit codes."""


class Error(Exception):
    """A command of Warpline failed.

    message: what it said; code: its exit code; result: the Run as far as it got, or None.
    """

    def __init__(self, message, code=1, result=None):
        super().__init__(message)
        self.message = message
        self.code = code
        self.result = result


class InternalError(Error):
    """Exit code 1: an error inside Warpline."""


class UsageError(Error):
    """Exit code 2: an option that is not there, or does not go with another."""


class InputError(Error):
    """Exit code 3: a file that is absent, malformed or unusable; a field that does not exist."""


class Unfinished(Error):
    """Exit code 4: deadlock or a limit. `result` has the kernels that ended before."""


class CheckFailed(Error):
    """Exit code 5: a check of a launch file failed."""


class SessionError(Error):
    """Warpline cannot be found or started, or its process ended; the next call starts another."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C. `result` has the kernels that ended before, or is None; Warpline's process lives on."""

    def __init__(self, result=None):
        super().__init__("interrupted")
        self.result = result


class ResultWarning(UserWarning):
    """What a result says of itself: settings without effect, parts that are not modelled."""


BY_CODE = {1: InternalError, 2: UsageError, 3: InputError, 4: Unfinished, 5: CheckFailed}


def from_code(code, message, result=None):
    return BY_CODE.get(code, Error)(message, code, result)
