"""Entry of a worker process: runs the Python nodes of one flow and speaks JSON lines with the engine."""

import sys

if sys.version_info < (3, 9):
    sys.exit("Python 3.9 or newer is needed; %s is %s" % (sys.executable, sys.version.split()[0]))

import os
from importlib.machinery import PathFinder


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]
    sys.path.insert(0, here)
    from unroll_worker.channels import take_channels
    from unroll_worker.memory import limit_memory

    channels = take_channels()
    limit_memory()
    # Values may nest 1,000 levels deep, and the functions that read and print them call themselves once a level.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 2200))
    from unroll_worker.own_folders import add_own_folders
    from unroll_worker.server import Server

    sys.path[0] = os.getcwd()
    sys.path.insert(1, os.path.join(here, "library"))
    stand_ins = list(zip(sys.argv[1::2], sys.argv[2::2]))
    del sys.argv[1:]
    sys.path.extend([folder for folder, package in stand_ins if not _is_installed(package)])
    add_own_folders([folder for folder, _ in stand_ins])
    Server(channels).serve()


def _is_installed(package):
    """Whether `NAME/FOLDER` of a package is there: it may be spread over several folders without an `__init__.py`."""
    name, folder = package.split("/")
    found = PathFinder.find_spec(name)
    parts = found.submodule_search_locations if found else None
    return any(os.path.isdir(os.path.join(part, folder)) for part in parts or ())


if __name__ == "__main__":
    main()
