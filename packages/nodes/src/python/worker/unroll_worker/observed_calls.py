"""Stands before functions of `os` of which no audit event tells, or not enough."""

import os
import sys

from . import contents


def observe_calls(observer, events):
    for name in ("stat", "lstat", "access", "readlink"):
        _watch_path(name, observer)
    _watch_open(observer, events)
    _watch_processes(observer, events)


def _watch_path(name, observer):
    original = getattr(os, name)

    def watched(path, *given, **named):
        if not isinstance(path, int) and not observer.looks:
            observer.quietly(_look, observer, path, named.get("dir_fd"), name, sys._getframe(2))
        return original(path, *given, **named)

    setattr(os, name, _StandIn(original, watched))


def _look(observer, path, folder, name, frame):
    if observer.files.is_importing(frame):
        return
    by = observer.files.callers(frame)
    place = observer.place(by, path, folder)
    if place is None:
        return
    observer.content(by, place, name == "lstat")
    if name == "readlink" and by is not None and observer.is_outside(place, by):
        observer.read(by, "link " + observer.files.shown(place), contents.link_now(place))


def _watch_open(observer, events):
    """The audit event tells no folder that a path is seen from."""
    original = os.open

    def look(path, flags, folder, frame):
        place = observer.place(observer.files.callers(frame), path, folder)
        if place is not None:
            events.open("open", (place, None, flags), frame)

    def watched(path, flags, mode=0o777, *, dir_fd=None):
        if dir_fd is None or observer.looks:
            return original(path, flags, mode, dir_fd=dir_fd)
        observer.quietly(look, path, flags, dir_fd, sys._getframe(2))
        return events.told_open(original, path, flags, mode, dir_fd=dir_fd)

    os.open = _StandIn(original, watched)


def _watch_processes(observer, events):
    """`multiprocessing` starts them by this function, and no event tells."""
    try:
        import _posixsubprocess
    except ImportError:
        return
    original = _posixsubprocess.fork_exec

    def watched(*given):
        observer.quietly(events.unseen, "subprocess.Popen", given, sys._getframe(1))
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
