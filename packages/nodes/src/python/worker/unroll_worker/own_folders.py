"""Folders whose files are ours and not the user's: the worker's own, and modules that stand in for packages."""

import os

_prefixes = (os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep,)


def add_own_folders(folders):
    global _prefixes
    _prefixes += tuple(os.path.abspath(folder) + os.sep for folder in folders)


def is_ours(path):
    """Whether a file, or a folder, given as an absolute path lies in one of them."""
    return (path + os.sep).startswith(_prefixes)
