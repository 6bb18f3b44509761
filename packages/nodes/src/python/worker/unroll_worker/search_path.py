"""Where code of a flow finds what it imports."""

import os
import sys
from importlib.machinery import PathFinder

from .own_folders import add_own_folders


def take_stand_ins():
    """What the process is started with: folders, each with the part of a package by which that is known to be installed."""
    stand_ins = list(zip(sys.argv[1::2], sys.argv[2::2]))
    del sys.argv[1:]
    return stand_ins


def use_search_path(here, stand_ins):
    """The flow's folder comes first, modules that stand in for packages last."""
    sys.path[0] = os.getcwd()
    sys.path.insert(1, os.path.join(here, "library"))
    sys.path.extend([folder for folder, package in stand_ins if not _is_installed(package)])
    add_own_folders([folder for folder, _ in stand_ins])


def _is_installed(package):
    """Whether `NAME/FOLDER` of a package is there: it may be spread over several folders without an `__init__.py`."""
    name, folder = package.split("/")
    found = PathFinder.find_spec(name)
    parts = found.submodule_search_locations if found else None
    return any(os.path.isdir(os.path.join(part, folder)) for part in parts or ())
