"""Sees what the code of a flow reads while it runs: variables, files, modules, and that it uses what cannot be seen."""

import json
import os
import sys
import threading

from . import contents
from .code_files import OTHER, Files
from .observed_calls import observe_calls
from .observed_events import Events
from .observed_imports import observe_imports
from .observed_variables import observe_variables

# Modules of Python's own that read past its functions; what they read is told in these words when they are imported.
_UNSEEN_MODULES = {
    "_dbm": "database",
    "_gdbm": "database",
    "nt": "native code of nt",
    "posix": "native code of posix",
}


class Observer:
    """Collects sightings, each once, until they are told. The audit hook is set once a process and stays."""

    def __init__(self):
        self.files = Files()
        # Paths that the code wrote itself, and temporary folders that it made.
        self.written = set()
        self.made = []
        self._lock = threading.Lock()
        self._told = {}
        self._untold = []
        self._here = threading.local()

    def start(self):
        events = Events(self)
        sys.addaudithook(events.hear)
        observe_variables(self)
        observe_imports(self)
        observe_calls(self, events)

    def take(self):
        """What was not told yet, as JSON text; empty where there is nothing."""
        with self._lock:
            taken, self._untold = self._untold, []
        return json.dumps(taken) if taken else ""

    def read(self, by, part, value):
        if by is None:
            return
        key = (part, tuple(by))
        with self._lock:
            if self._told.get(key) == value:
                return
            self._told[key] = value
            self._untold.append({"kind": "read", "by": by, "part": part, "value": value})

    def edge(self, importer, module):
        key = (importer, module)
        with self._lock:
            if key in self._told or importer == module:
                return
            self._told[key] = ""
            self._untold.append({"kind": "import", "from": importer, "to": module})

    def callers(self, depth):
        return self.files.callers(sys._getframe(depth + 1))

    def content(self, by, path, is_link=False):
        path = os.path.abspath(path)
        if by is None or not self.is_outside(path, by) or (is_link and os.path.isdir(path)):
            return
        self.read(by, "reads " + self.files.shown(path), contents.content_now(path))

    def module(self, module):
        """What a module is that was imported, told once."""
        if module.startswith("package:"):
            name, identity = self.files.identity(module)
            self.read([module], "package " + name, identity)
        else:
            self.read([module], "code " + self.files.shown(module), contents.text_now(module))

    def quietly(self, work, *given):
        """Looking itself reads files: what it reads is not seen."""
        if self.looks:
            return
        self._here.looks = True
        try:
            work(*given)
        except Exception:
            # What cannot be looked at must not change what code does; it is told as unseen.
            self.read([], "unseen something that could not be looked at", "used")
        finally:
            self._here.looks = False

    @property
    def looks(self):
        """Whether this thread is looking itself."""
        return getattr(self._here, "looks", False)

    def place(self, by, path, folder):
        """The absolute path of one that is given as it is, by a descriptor, or from a folder that is; None: not known."""
        try:
            if isinstance(path, int):
                return os.readlink(f"/proc/self/fd/{path}")
            path = os.fsdecode(path)
            if folder is not None and not os.path.isabs(path):
                path = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), path)
            return os.path.abspath(path)
        except OSError:
            self.read(by, "unseen folder by its descriptor", "used")
            return None

    def own_module(self, importer, name):
        """A module of Python's own was imported by the user's code."""
        if name in _UNSEEN_MODULES:
            self.read([importer], "unseen " + _UNSEEN_MODULES[name], "used")

    def is_outside(self, path, by):
        """Neither made by the code itself, nor what Python and packages read of their own, whose versions tell."""
        if path in self.written or any(path == made or path.startswith(made + os.sep) for made in self.made):
            return False
        if path.startswith(("/dev/", "/proc/", "/sys/")) or path.endswith(".pyc") or "__pycache__" in path:
            return False
        module = self.files.module_of(path)
        if module.startswith("package:"):
            return not any(one.startswith("package:") for one in by)
        return module not in OTHER
