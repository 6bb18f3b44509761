"""Puts itself before os.environ."""

import os
import sys


def observe_variables(observer):
    """What code set itself is none that it reads. `os.environ` stays the object that it is, of a class that looks."""
    written = set()

    class Observed(type(os.environ)):
        def __getitem__(self, key):
            name = os.fsdecode(key)
            if name not in written:
                observer.quietly(_see, observer, "variable " + name, sys._getframe(1))
            return super().__getitem__(key)

        def __iter__(self):
            observer.quietly(_see, observer, "all variables", sys._getframe(1))
            return super().__iter__()

        def __len__(self):
            observer.quietly(_see, observer, "all variables", sys._getframe(1))
            return super().__len__()

        def __setitem__(self, key, value):
            super().__setitem__(key, value)
            written.add(os.fsdecode(key))

        def __delitem__(self, key):
            super().__delitem__(key)
            written.add(os.fsdecode(key))

    Observed.__name__ = Observed.__qualname__ = type(os.environ).__name__
    for environment in (os.environ, getattr(os, "environb", None)):
        if environment is not None:
            environment.__class__ = Observed


def _see(observer, part, frame):
    observer.read(observer.files.callers(frame), part, "")
