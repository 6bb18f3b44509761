"""A pool of threads that grows with need; starting one costs, so they are kept."""

import queue
import threading


class Threads:
    def __init__(self):
        self._work = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0

    def run(self, function, argument):
        with self._lock:
            start = self._idle == 0
            if not start:
                self._idle -= 1
        self._work.put((function, argument))
        if start:
            threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            function, argument = self._work.get()
            function(argument)
            del function, argument
            with self._lock:
                self._idle += 1
