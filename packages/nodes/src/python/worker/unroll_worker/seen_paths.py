"""Paths as they are told."""

import os


def seen_from(folder, path):
    """The way from a folder to a path, with `/`; the path itself where none leads there, as to another drive of Windows."""
    try:
        return os.path.relpath(path, folder).replace(os.sep, "/")
    except ValueError:
        return path.replace(os.sep, "/")
