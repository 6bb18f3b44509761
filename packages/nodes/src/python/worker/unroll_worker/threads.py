"""A pool of threads that grows with need; starting one costs, so they are kept."""

import queue
import threading


class Threads:
    def __init__(self):
        self._lock = threading.Lock()
        self._idle = []
        self._own = threading.local()

    def run(self, function, argument):
        """
        By the thread that was done last. Nodes that run one after the other so share one, as they mostly do in Prompt flow: what
        belongs to its thread (a connection of sqlite3, the precision of decimals) goes on to the next.
        """
        with self._lock:
            thread = self._idle.pop() if self._idle else None
        if thread is None:
            thread = _Thread()
            threading.Thread(target=self._serve, args=(thread,), daemon=True).start()
        thread.work.put((function, argument))

    def free(self):
        """Before a reply is written, or the next call, which its reader may make at once, would find no idle thread."""
        thread = getattr(self._own, "thread", None)
        if thread is None or thread.is_free:
            return
        thread.is_free = True
        with self._lock:
            self._idle.append(thread)

    def _serve(self, thread):
        self._own.thread = thread
        while True:
            function, argument = thread.work.get()
            thread.is_free = False
            function(argument)
            del function, argument
            self.free()


class _Thread:
    def __init__(self):
        self.work = queue.SimpleQueue()
        self.is_free = False
