"""Where Warpline is."""

import os
import shutil

from .errors import SessionError

NAME = "warpline"


def find():
    """The launcher: of WARPLINE_HOME, of the folder that this package lies in, or of the PATH."""
    home = os.environ.get("WARPLINE_HOME")
    if home:
        launcher = os.path.join(home, NAME)
        if not os.path.isfile(launcher):
            raise SessionError(f"WARPLINE_HOME={home}: found no file {NAME} in it")
        return launcher
    package = os.path.dirname(os.path.abspath(__file__))
    beside = os.path.join(os.path.dirname(os.path.dirname(package)), NAME)
    if os.path.isfile(beside):
        return beside
    on_path = shutil.which(NAME)
    if on_path:
        return on_path
    raise SessionError(
        "found no Warpline: set WARPLINE_HOME to its folder (a clone or an unpacked release), or put"
        " the folder on the PATH"
    )
