"""Where replies go. Those to requests that came together are written together: each write wakes the engine."""

import contextlib
import mmap
import os
import struct
import threading
import time

# Replies that are ready wait for the requests that came with theirs no longer than this.
_MOST_SECONDS = 0.001
_LENGTH = struct.Struct("=I")
_BYTES = 1 << 16
_DESCRIPTOR = "UNROLL_UNSENT_REPLIES"


class Replies:
    """
    What is not written yet is kept in a file that the engine holds too, as its length and its bytes: should user code end
    this process, no reply is lost, and the engine knows which call it was. Without that file each reply is written at once.
    """

    def __init__(self, channels):
        self._channels = channels
        self._lock = threading.Lock()
        self._reader = threading.get_ident()
        self._kept = _open_kept()
        self._length = 0
        self._since = None

    @contextlib.contextmanager
    def together(self):
        """Replies that the thread that reads requests gives in here are written when it is left."""
        if self._kept is None:
            yield
            return
        self._since = time.perf_counter()
        try:
            yield
        finally:
            self._since = None
            self.flush()

    def write(self, text):
        if self._channels.is_child:
            return
        data = text.encode("utf-8")
        with self._lock:
            if self._since is None or threading.get_ident() != self._reader or not self._keep(data):
                self._write_all(data)
            elif time.perf_counter() - self._since > _MOST_SECONDS:
                self._flush()

    def write_late(self):
        """Writes what a call that takes its time keeps back."""
        since = self._since
        if since is not None and self._length > 0 and time.perf_counter() - since > _MOST_SECONDS:
            self.flush()

    def flush(self):
        if self._channels.is_child:
            return
        with self._lock:
            self._flush()

    def _keep(self, data):
        end = _LENGTH.size + self._length + len(data)
        if end > _BYTES:
            self._flush()
            return False
        self._kept[_LENGTH.size + self._length : end] = data
        self._length += len(data)
        _LENGTH.pack_into(self._kept, 0, self._length)
        return True

    def _flush(self):
        if self._length == 0:
            return
        data = self._kept[_LENGTH.size : _LENGTH.size + self._length]
        self._write_all(data)
        self._length = 0
        _LENGTH.pack_into(self._kept, 0, 0)

    def _write_all(self, data):
        self._channels.write(data)


def _open_kept():
    written = os.environ.pop(_DESCRIPTOR, None)
    if written is None:
        return None
    descriptor = int(written)
    try:
        os.ftruncate(descriptor, _BYTES)
        return mmap.mmap(descriptor, _BYTES)
    except (OSError, ValueError):
        return None
    finally:
        os.close(descriptor)
