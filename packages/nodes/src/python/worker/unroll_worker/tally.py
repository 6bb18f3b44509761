"""Tokens of the calls of models that the code of one call of a node made itself."""

import json
import threading


class Tally:
    def __init__(self):
        self._lock = threading.Lock()
        self._told = []
        self._open = 0
        self._untold = 0

    def begin(self):
        """A stream, which tells its tokens when it ends."""
        with self._lock:
            self._open += 1

    def end(self):
        with self._lock:
            self._open -= 1

    def told(self, model, service, usage):
        with self._lock:
            self._told.append({"model": model, "service": service, "usage": usage})

    def untold(self):
        with self._lock:
            self._untold += 1

    def take(self, leaves_open):
        """What was not taken yet, as JSON text. A stream that is open tells nothing any more, if it is not left to who goes on with it."""
        with self._lock:
            told, self._told = self._told, []
            untold, self._untold = self._untold, 0
            if not leaves_open:
                untold += max(0, self._open)
                self._open = 0
        return json.dumps({"told": told, "untold": untold}) if told or untold else None

    def absorb(self, other):
        """Takes over what another one has."""
        with other._lock:
            told, other._told = other._told, []
            untold, other._untold = other._untold, 0
            open, other._open = other._open, 0
        with self._lock:
            self._told += told
            self._untold += untold
            self._open += max(0, open)
