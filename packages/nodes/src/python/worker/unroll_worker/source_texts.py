"""What a file of Python code holds."""

import os

_MOST_BYTES = 5_000_000


def bytes_of(path):
    """None where it cannot be read, or is longer than anybody writes."""
    try:
        if os.path.getsize(path) > _MOST_BYTES:
            return None
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def text_of(path):
    return (bytes_of(path) or b"").decode("utf-8-sig", "replace")
