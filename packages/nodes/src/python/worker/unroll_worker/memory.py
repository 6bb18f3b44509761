"""The bound on memory that `UNROLL_PYTHON_MEMORY` sets: `512MB`, `4GB`."""

import os
import re
import sys

try:
    import resource
except ImportError:
    resource = None

_NAME = "UNROLL_PYTHON_MEMORY"
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def limit_memory():
    """Of what this process, and each one it makes, holds as data of its own; what it maps of files does not count."""
    written = os.environ.get(_NAME)
    if not written:
        return
    found = re.fullmatch(r"\s*(\d+)\s*([KMG]?)i?B?\s*", written, re.IGNORECASE)
    if found is None:
        sys.exit(f"{_NAME} takes a size such as 512MB or 4GB, not {written!r}")
    if resource is None:
        sys.exit(f"{_NAME} cannot be kept on this system")
    size = int(found[1]) * _UNITS[found[2].upper()]
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def used_up():
    """What a MemoryError that says nothing means."""
    written = os.environ.get(_NAME)
    return "there is no more memory" if not written else f"the {written.strip()} of {_NAME} are used up"
