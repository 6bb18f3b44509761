"""What is told of the user's files, as JSON takes it: places are shown from the flow's folder, in UTF-16 code units."""

import re

from .closed_packages import closed_package
from .seen_paths import seen_from
from .source_texts import text_of
from .text_places import bytes_column, index, offset, units


class ToldMistakes:
    def __init__(self, folder):
        self.missing = []
        self.unreadable = []
        # Files that cannot be what they are used as: one tool, a module that gives a name.
        self.unfit = []
        # Whether what is told comes about as a tool is called, and not as the flow is loaded.
        self.is_called = False
        self._folder = folder

    def shown(self, path):
        return seen_from(self._folder, path)

    def tell_missing(self, absent, written, place):
        """absent: what of the module that is `written` is not there; place: (path, text, statement)"""
        path, text, statement = place
        start = index(text, statement.lineno, bytes_column(text, statement.lineno, statement.col_offset))
        found = re.compile(r"(?<![\w.])" + re.escape(written) + r"\b").search(text, start)
        at, end = found.span() if found and written else (start, start + 1)
        told = self._told(path, units(text[:at]))
        self.missing.append({**told, "end": units(text[:end]), "name": absent, "package": closed_package(absent)})

    def tell_unreadable(self, path, start, message):
        self.unreadable.append({**self._told(path, start), "message": message})

    def tell_unfit(self, path, start, kind, names):
        told = {**self._told(path, start), "kind": kind, "names": names}
        if told not in self.unfit:
            self.unfit.append(told)

    def tell_unfit_line(self, path, line, kind, names):
        self.tell_unfit(path, offset(text_of(path), line, 0), kind, names)

    def _told(self, path, start):
        return {"file": self.shown(path), "start": start, "isCalled": self.is_called}
