"""Entry of a worker process: runs the Python nodes of one flow and speaks JSON lines with the engine."""

import sys

if sys.version_info < (3, 9):
    sys.exit("Python 3.9 or newer is needed; %s is %s" % (sys.executable, sys.version.split()[0]))

import os
import signal


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]
    sys.path.insert(0, here)
    from unroll_worker.channels import take_channels
    from unroll_worker.memory import limit_memory

    channels = take_channels()
    # Raised in this thread, which begins one call after the other, KeyboardInterrupt would fail whichever it is at.
    # Programs that code starts get Python's own way of hearing it back, as they would not where it is ignored.
    signal.signal(signal.SIGINT, lambda *_: None)
    limit_memory()
    # Values may nest 1,000 levels deep, and the functions that read and print them call themselves once a level.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 2200))
    from unroll_worker.search_path import take_stand_ins, use_search_path
    from unroll_worker.server import Server

    use_search_path(here, take_stand_ins())
    Server(channels).serve()


if __name__ == "__main__":
    main()
