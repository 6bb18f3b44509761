"""Sees which module imports which, also where the imported one was loaded before."""

import builtins
import importlib
import importlib.util
import os
import sys

from . import contents
from .code_files import OTHER, user_folders


def observe_imports(observer):
    import_by_statement = builtins.__import__
    import_by_name = importlib.import_module
    known = set()
    observer.loaded_before = frozenset(name.split(".")[0] for name in sys.modules)

    def observed_import(name, globals=None, locals=None, fromlist=(), level=0):
        importer = globals.get("__file__") if isinstance(globals, dict) else None
        if importer is None:
            # `__import__("name")`, or code that was evaluated.
            importer = next((one for one in observer.callers(1) or () if not one.startswith("package:")), None)
        is_users = isinstance(importer, str) and observer.files.module_of(importer) not in OTHER
        if not is_users:
            return import_by_statement(name, globals, locals, fromlist, level)
        try:
            imported = import_by_statement(name, globals, locals, fromlist, level)
        except ImportError:
            observer.quietly(_not_found, observer, importer, name, level)
            raise
        key = (importer, name, tuple(fromlist or ()), level)
        if key not in known:
            known.add(key)
            observer.quietly(_found, observer, importer, _absolute(name, level, globals or {}), fromlist or ())
        return imported

    def observed_import_module(name, package=None):
        frame = sys._getframe(1)
        importer = frame.f_code.co_filename
        is_users = observer.files.module_of(importer) not in OTHER
        level = len(name) - len(name.lstrip("."))
        try:
            imported = import_by_name(name, package)
        except ImportError:
            if is_users:
                observer.quietly(_not_found, observer, importer, name.lstrip("."), level)
            raise
        if is_users:
            absolute = importlib.util.resolve_name(name, package) if level else name
            observer.quietly(_found, observer, importer, absolute, ())
        return imported

    builtins.__import__ = observed_import
    importlib.import_module = observed_import_module


def _absolute(name, level, globals):
    if level == 0:
        return name
    package = globals.get("__package__") or getattr(globals.get("__spec__"), "parent", None) or ""
    return importlib.util.resolve_name("." * level + name, package)


def _found(observer, importer, name, attributes):
    """`import a.b` imports a and a.b; what is taken `from` a module may be a module itself."""
    steps = name.split(".")
    names = [".".join(steps[: count + 1]) for count in range(len(steps))]
    names += [f"{name}.{attribute}" for attribute in attributes]
    source = observer.files.module_of(importer)
    observer.own_module(source, name)
    if not source.startswith("package:") and steps[0] not in observer.loaded_before:
        _shadows(observer, source, steps[0], user_folders())
    for one in names:
        path = getattr(sys.modules.get(one), "__file__", None)
        if path is None and not source.startswith("package:"):
            _bare_folder(observer, source, getattr(sys.modules.get(one), "__path__", ()))
        module = observer.files.module_of(path) if isinstance(path, str) else OTHER
        if isinstance(module, str) and module not in OTHER:
            observer.module(module)
            observer.edge(source, module)


def _bare_folder(observer, source, folders):
    """A package without a file of its own would be another with one."""
    for folder in folders:
        path = os.path.join(folder, "__init__.py")
        observer.read([source], "reads " + observer.files.shown(os.path.abspath(path)), contents.content_now(path))


def _not_found(observer, importer, name, level):
    source = observer.files.module_of(importer)
    if source.startswith("package:"):
        return
    if level > 0:
        base = importer
        for _ in range(level):
            base = os.path.dirname(base)
        folders = [base]
    else:
        folders = user_folders()
        top = name.split(".")[0]
        package, identity = observer.files.identity("package:" + top)
        observer.read([source], "package " + package, identity)
    _shadows(observer, source, name.replace(".", os.sep), folders)


def _shadows(observer, source, way, folders):
    """Files that would be imported, were they there."""
    for folder in folders:
        for path in (os.path.join(folder, way), os.path.join(folder, way + ".py")):
            observer.read([source], "reads " + observer.files.shown(os.path.abspath(path)), contents.content_now(path))
