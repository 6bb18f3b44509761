"""Entry of a worker process: runs the Python nodes of one flow and speaks JSON lines with the engine."""

import os
import sys


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    requests, replies = _take_protocol_channels()
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]
    sys.path.insert(0, here)
    from unroll_worker.server import Server

    sys.path[0] = os.getcwd()
    sys.path.insert(1, os.path.join(here, "library"))
    # At the end of the path: an installed promptflow, or a folder of that name in the flow, wins over the stand-in.
    sys.path.append(os.path.join(here, "shim"))
    Server(requests, replies).serve()


def _take_protocol_channels():
    """Moves the real stdin and stdout away, so that nothing user code prints or reads can reach the protocol."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


if __name__ == "__main__":
    main()
