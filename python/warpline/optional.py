"""Packages that not everybody has."""

import importlib


def need(package, what):
    """A package, or an error that says what wants it and how to get it."""
    try:
        return importlib.import_module(package)
    except ImportError as e:
        top = package.split(".")[0]
        raise ImportError(
            f"{what} needs {top}, which is not installed: 'pip install {top}', on Debian"
            f" 'apt-get install python3-{top}'"
        ) from e
