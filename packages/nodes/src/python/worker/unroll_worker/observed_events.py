"""What Python's audit events tell of what code reads."""

import os
import sys
import threading
from urllib.parse import unquote

from . import contents
from .code_files import OTHER

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

_MOST_FILES = 1000


class Events:
    def __init__(self, observer):
        self._observer = observer
        self._files = observer.files
        self._here = threading.local()
        self._handlers = {event: self.unseen for event in _UNSEEN}
        self._handlers.update(
            {
                "open": self.open,
                "exec": self._exec,
                "import": self._import,
                "os.listdir": self._names,
                "os.scandir": self._names,
                "tempfile.mkdtemp": self._temporary,
                "os.rename": self._rename,
                "os.remove": self._remove,
                "sqlite3.connect": self._database,
                "ctypes.dlopen": self._library,
                "socket.bind": self._bind,
            }
        )

    def hear(self, event, arguments):
        handler = self._handlers.get(event)
        if handler is not None and not self._observer.looks:
            self._observer.quietly(handler, event, arguments, sys._getframe(1))

    def unseen(self, event, arguments, frame):
        self._observer.read(self._files.callers(frame), "unseen " + _UNSEEN[event], "used")

    def _bind(self, event, arguments, frame):
        """urllib3 takes a port of this machine as it is imported, to see whether there is IPv6."""
        code = frame.f_code
        if code.co_name != "_has_ipv6" or self._files.module_of(code.co_filename) != "package:urllib3":
            self.unseen(event, arguments, frame)

    def open(self, _event, arguments, frame):
        path, mode, flags = arguments
        by = None if isinstance(path, int) or self._files.is_read_by_loader(frame) else self._files.callers(frame)
        if by is None or getattr(self._here, "opens", False):
            return
        path = os.path.abspath(os.fsdecode(path))
        reads, writes = _use_of(mode, flags or 0)
        if reads:
            self._observer.content(by, path)
        if writes:
            self._observer.written.add(path)

    def told_open(self, original, *given, **named):
        """Opens a file of which it was told already."""
        self._here.opens = True
        try:
            return original(*given, **named)
        finally:
            self._here.opens = False

    def _exec(self, _event, arguments, frame):
        """A module that runs for the first time, whatever loads it."""
        code = arguments[0]
        if not isinstance(code, type(frame.f_code)) or code.co_name != "<module>":
            return
        module = self._files.module_of(code.co_filename)
        if module in OTHER:
            return
        self._observer.module(module)
        for importer in self._files.callers(frame, passes=module) or []:
            self._observer.edge(importer, module)

    def _import(self, _event, arguments, _frame):
        """An extension module reads what it wants, past Python."""
        path = arguments[1] if len(arguments) > 1 else None
        if not isinstance(path, str) or path.endswith((".py", ".pyc")):
            return
        module = self._files.module_of(path)
        if module in OTHER or self._files.reads_by_python(module):
            return
        self._observer.read([module], "unseen native code of " + module.replace("package:", "", 1).rpartition("/")[2], "used")

    def _names(self, event, arguments, frame):
        if self._files.is_importing(frame):
            return
        by = self._files.callers(frame)
        path = self._observer.place(by, arguments[0] or ".", None)
        if by is None or path is None or not self._observer.is_outside(path, by):
            return
        self._observer.read(by, "lists " + self._files.shown(path), contents.names_now(path))
        if event == "os.scandir" and not self._files.is_standard(frame):
            self._entries(by, path)

    def _entries(self, by, path):
        """Entries tell sizes and times by themselves."""
        try:
            names = sorted(os.listdir(path))
        except OSError:
            # No folder is there (`os.walk` asks all the same): that is told already, as what it lists.
            return
        if len(names) > _MOST_FILES:
            self._observer.read(by, "unseen more files than can be compared", "used")
            return
        for name in names:
            self._observer.content(by, os.path.join(path, os.fsdecode(name)))

    def _temporary(self, _event, arguments, _frame):
        """What lies in a temporary folder that code made is its own; in others may be what it was given."""
        self._observer.made.append(os.path.abspath(os.fsdecode(arguments[0])))

    def _rename(self, _event, arguments, frame):
        source, target = (os.path.abspath(os.fsdecode(path)) for path in arguments[:2])
        self._observer.content(self._files.callers(frame), source)
        self._observer.written.update((source, target))

    def _remove(self, _event, arguments, _frame):
        self._observer.written.add(os.path.abspath(os.fsdecode(arguments[0])))

    def _database(self, _event, arguments, frame):
        path = os.fsdecode(arguments[0])
        by = self._files.callers(frame)
        if path.startswith("file:"):
            path = unquote(path[5:].split("?")[0])
        if path and path != ":memory:":
            for file in (path, path + "-wal"):
                self._observer.content(by, file)
        # What is attached later is opened by SQLite itself, and no event tells.
        self._observer.read(by, "unseen database", "used")

    def _library(self, _event, arguments, frame):
        """`ctypes` opens the process itself when it is imported."""
        while frame is not None and os.sep + "ctypes" + os.sep in frame.f_code.co_filename:
            frame = frame.f_back
        if arguments[0] is not None or frame is None or not self._files.is_importing(frame):
            self._observer.read(self._files.callers(frame), "unseen native code", "used")


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
