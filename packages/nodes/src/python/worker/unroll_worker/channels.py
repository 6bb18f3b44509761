"""The way to the engine: descriptors of its own, far from those that user code gets and writes to, and of this process only."""

import os
import sys

try:
    import fcntl
    import resource
except ImportError:
    fcntl = resource = None

# Ends with this code a process whose way to the engine user code has closed.
LOST = 121
_HIGHEST = 4000
_READ_BYTES = 1 << 16


class Channels:
    """Requests are read from one descriptor, replies written to the other. A child made by a fork has neither."""

    def __init__(self, requests, replies):
        self._requests = requests
        self._replies = replies
        self.is_child = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._leave)

    def read(self, size):
        try:
            return os.read(self._requests, size)
        except OSError:
            os._exit(LOST)

    def lines(self):
        """Whole lines, as they come; one of 100 MB is put together once, not for each of its parts."""
        parts = []
        while True:
            chunk = self.read(_READ_BYTES)
            if not chunk:
                return
            first, *more = chunk.split(b"\n")
            parts.append(first)
            for part in more:
                yield b"".join(parts)
                parts = [part]

    def write(self, data):
        if self.is_child:
            return
        try:
            while data:
                data = data[os.write(self._replies, data) :]
        except OSError:
            os._exit(LOST)

    def end_child(self):
        """The copy of this process that a fork made has nothing to answer when the function that made it returns there."""
        if not self.is_child:
            return
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(0)

    def _leave(self):
        self.is_child = True
        for descriptor in (self._requests, self._replies):
            try:
                os.close(descriptor)
            except OSError:
                pass


def take_channels():
    """Moves the real stdin and stdout away, so that nothing user code prints or reads can reach the protocol."""
    requests, replies = _moved(0), _moved(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Channels(requests, replies)


def _moved(descriptor):
    """As a high number, which is not given to what user code opens; closed in programs that it starts."""
    if fcntl is None:
        return os.dup(descriptor)
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = _HIGHEST if most == resource.RLIM_INFINITY else min(most, _HIGHEST)
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, max(3, highest - 16))
    except OSError:
        return os.dup(descriptor)
