"""Sees what the code of a flow reads while it runs: variables, files, modules, and that it uses what cannot be seen."""

import json
import os
import sys
import threading
from urllib.parse import unquote

from . import contents
from .code_files import OTHER, Files
from .observed_imports import observe_imports
from .observed_variables import observe_variables

# What code gets at through an event, where nobody can compare what it reads there.
_UNSEEN = {
    "subprocess.Popen": "child process",
    "os.system": "child process",
    "os.exec": "child process",
    "os.fork": "child process",
    "os.forkpty": "child process",
    "os.posix_spawn": "child process",
    "os.spawn": "child process",
    "pty.spawn": "child process",
    "socket.connect": "network",
    "socket.getaddrinfo": "network",
    "socket.gethostbyname": "network",
    "socket.gethostbyaddr": "network",
    "socket.sendto": "network",
    "socket.sendmsg": "network",
    "socket.bind": "network",
    "sqlite3.load_extension": "native code",
}

# Modules of Python's own that read past its functions; what they read is told in these words when they are imported.
_UNSEEN_MODULES = {
    "_dbm": "database",
    "_gdbm": "database",
    "nt": "native code of nt",
    "posix": "native code of posix",
}
_MOST_FILES = 1000


class Observer:
    """Collects sightings, each once, until they are told. The audit hook is set once a process and stays."""

    def __init__(self):
        self.files = Files()
        self._lock = threading.Lock()
        self._told = {}
        self._untold = []
        self._written = set()
        self._made = []
        self._here = threading.local()
        self._handlers = {event: self._unseen for event in _UNSEEN}
        self._handlers.update(
            {
                "open": self._open,
                "exec": self._exec,
                "import": self._import,
                "os.listdir": self._names,
                "os.scandir": self._names,
                "tempfile.mkdtemp": self._temporary,
                "os.rename": self._rename,
                "os.remove": self._remove,
                "sqlite3.connect": self._database,
                "ctypes.dlopen": self._library,
            }
        )

    def start(self):
        sys.addaudithook(self._hear)
        observe_variables(self)
        observe_imports(self)
        for name in ("stat", "lstat", "access", "readlink"):
            self._watch_path(name)
        self._watch_open()
        self._watch_processes()

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
        if by is None or not self._is_outside(path, by) or (is_link and os.path.isdir(path)):
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
        if getattr(self._here, "looks", False):
            return
        self._here.looks = True
        try:
            work(*given)
        except Exception:
            # What cannot be looked at must not change what code does; it is told as unseen.
            self.read([], "unseen something that could not be looked at", "used")
        finally:
            self._here.looks = False

    def _hear(self, event, arguments):
        handler = self._handlers.get(event)
        if handler is not None and not getattr(self._here, "looks", False):
            self.quietly(handler, event, arguments, sys._getframe(1))

    def _unseen(self, event, arguments, frame):
        self.read(self.files.callers(frame), "unseen " + _UNSEEN[event], "used")

    def _open(self, _event, arguments, frame):
        path, mode, flags = arguments
        by = None if isinstance(path, int) or self.files.is_read_by_loader(frame) else self.files.callers(frame)
        if by is None or getattr(self._here, "opens", False):
            return
        path = os.path.abspath(os.fsdecode(path))
        reads, writes = _use_of(mode, flags or 0)
        if reads:
            self.content(by, path)
        if writes:
            self._written.add(path)

    def _exec(self, _event, arguments, frame):
        """A module that runs for the first time, whatever loads it."""
        code = arguments[0]
        if not isinstance(code, type(frame.f_code)) or code.co_name != "<module>":
            return
        module = self.files.module_of(code.co_filename)
        if module in OTHER:
            return
        self.module(module)
        for importer in self.files.callers(frame, passes=module) or []:
            self.edge(importer, module)

    def _import(self, _event, arguments, _frame):
        """An extension module reads what it wants, past Python."""
        path = arguments[1] if len(arguments) > 1 else None
        if not isinstance(path, str) or path.endswith((".py", ".pyc")):
            return
        module = self.files.module_of(path)
        if module in OTHER or self.files.reads_by_python(module):
            return
        self.read([module], "unseen native code of " + module.replace("package:", "", 1).rpartition("/")[2], "used")

    def _names(self, event, arguments, frame):
        if self.files.is_importing(frame):
            return
        by = self.files.callers(frame)
        path = self._place(by, arguments[0] or ".", None)
        if by is None or path is None or not self._is_outside(path, by):
            return
        self.read(by, "lists " + self.files.shown(path), contents.names_now(path))
        if event == "os.scandir" and not self.files.is_standard(frame):
            self._entries(by, path)

    def _entries(self, by, path):
        """Entries tell sizes and times by themselves."""
        names = sorted(os.listdir(path))
        if len(names) > _MOST_FILES:
            self.read(by, "unseen more files than can be compared", "used")
            return
        for name in names:
            self.content(by, os.path.join(path, os.fsdecode(name)))

    def _place(self, by, path, folder):
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

    def _temporary(self, _event, arguments, _frame):
        """What lies in a temporary folder that code made is its own; in others may be what it was given."""
        self._made.append(os.path.abspath(os.fsdecode(arguments[0])))

    def _rename(self, _event, arguments, frame):
        source, target = (os.path.abspath(os.fsdecode(path)) for path in arguments[:2])
        self.content(self.files.callers(frame), source)
        self._written.update((source, target))

    def _remove(self, _event, arguments, _frame):
        self._written.add(os.path.abspath(os.fsdecode(arguments[0])))

    def _database(self, _event, arguments, frame):
        path = os.fsdecode(arguments[0])
        by = self.files.callers(frame)
        if path.startswith("file:"):
            path = unquote(path[5:].split("?")[0])
        if path and path != ":memory:":
            for file in (path, path + "-wal"):
                self.content(by, file)
        # What is attached later is opened by SQLite itself, and no event tells.
        self.read(by, "unseen database", "used")

    def _library(self, _event, arguments, frame):
        """`ctypes` opens the process itself when it is imported."""
        while frame is not None and os.sep + "ctypes" + os.sep in frame.f_code.co_filename:
            frame = frame.f_back
        if arguments[0] is not None or frame is None or not self.files.is_importing(frame):
            self.read(self.files.callers(frame), "unseen native code", "used")

    def own_module(self, importer, name):
        """A module of Python's own was imported by the user's code."""
        if name in _UNSEEN_MODULES:
            self.read([importer], "unseen " + _UNSEEN_MODULES[name], "used")

    def _is_outside(self, path, by):
        """Neither made by the code itself, nor what Python and packages read of their own, whose versions tell."""
        if path in self._written or any(path == made or path.startswith(made + os.sep) for made in self._made):
            return False
        if path.startswith(("/dev/", "/proc/", "/sys/")) or path.endswith(".pyc") or "__pycache__" in path:
            return False
        module = self.files.module_of(path)
        if module.startswith("package:"):
            return not any(one.startswith("package:") for one in by)
        return module not in OTHER

    def _watch_path(self, name):
        original = getattr(os, name)

        def watched(path, *given, **named):
            if not isinstance(path, int) and not getattr(self._here, "looks", False):
                self.quietly(self._look, path, named.get("dir_fd"), name, sys._getframe(2))
            return original(path, *given, **named)

        setattr(os, name, _StandIn(original, watched))

    def _look(self, path, folder, name, frame):
        if self.files.is_importing(frame):
            return
        by = self.files.callers(frame)
        place = self._place(by, path, folder)
        if place is None:
            return
        self.content(by, place, name == "lstat")
        if name == "readlink" and by is not None and self._is_outside(place, by):
            self.read(by, "link " + self.files.shown(place), contents.link_now(place))

    def _watch_open(self):
        """The audit event tells no folder that a path is seen from."""
        original = os.open

        def watched(path, flags, mode=0o777, *, dir_fd=None):
            if dir_fd is None or getattr(self._here, "looks", False):
                return original(path, flags, mode, dir_fd=dir_fd)
            self.quietly(self._open_from, path, flags, dir_fd, sys._getframe(2))
            self._here.opens = True
            try:
                return original(path, flags, mode, dir_fd=dir_fd)
            finally:
                self._here.opens = False

        os.open = _StandIn(original, watched)

    def _open_from(self, path, flags, folder, frame):
        place = self._place(self.files.callers(frame), path, folder)
        if place is not None:
            self._open("open", (place, None, flags), frame)

    def _watch_processes(self):
        """`multiprocessing` starts them by this function, and no event tells."""
        try:
            import _posixsubprocess
        except ImportError:
            return
        original = _posixsubprocess.fork_exec

        def watched(*given):
            self.quietly(self._unseen, "subprocess.Popen", given, sys._getframe(1))
            return original(*given)

        _posixsubprocess.fork_exec = watched


class _StandIn:
    """Like a function written in C: held by a class, it is no method of its objects (`pathlib` before Python 3.11)."""

    def __init__(self, original, watched):
        self._watched = watched
        self.__name__ = self.__qualname__ = original.__name__
        self.__doc__ = original.__doc__
        for supported in (os.supports_fd, os.supports_dir_fd, os.supports_follow_symlinks, os.supports_effective_ids):
            if original in supported:
                supported.add(self)
        accessor = getattr(sys.modules.get("pathlib"), "_NormalAccessor", None)
        if getattr(accessor, self.__name__, None) is original:
            setattr(accessor, self.__name__, self)

    def __call__(self, *given, **named):
        return self._watched(*given, **named)


def _use_of(mode, flags):
    """Whether what a file holds counts, and whether it is the code's own from then on."""
    if isinstance(mode, str):
        if "a" in mode:
            return False, False
        return "r" in mode, "w" in mode or "x" in mode or "+" in mode
    if flags & os.O_APPEND:
        return False, False
    if flags & os.O_TRUNC or flags & os.O_EXCL:
        return False, True
    return not flags & os.O_WRONLY, bool(flags & (os.O_RDWR | os.O_WRONLY))
