"""What a node's file is made of: the modules of the user's it imports, packages, variables, and texts that name files."""

import ast
import os
import sys

from .packages import find_origin, is_installed, is_standard, package_identity

_own = ("promptflow", "unroll")


def find_sources(path, folder):
    """Absolute paths of the file and of all modules of the user's that it imports, directly or not; its texts; the
    packages it imports, with their versions; the variables of the environment it reads; the version of Python.

    A module is read, never run. What is imported by a name put together while the code runs is not seen, but for the
    package its name begins with.
    """
    found = _Found(folder)
    open_files = [os.path.abspath(path)]
    while open_files:
        file = open_files.pop()
        if file in found.code:
            continue
        found.code.append(file)
        for node in ast.walk(_parse(file)):
            open_files.extend(found.imported_files(node, file))
            found.add_text(node, file)
            found.add_variable(node)
    return {
        "code": found.code,
        "texts": sorted(found.texts),
        "packages": dict(package_identity(module) for module in sorted(found.modules)),
        "variables": {name: os.environ.get(name) for name in sorted(found.variables)},
        "python": "%d.%d" % sys.version_info[:2],
    }


class _Found:
    def __init__(self, folder):
        self.folder = folder
        self.code = []
        self.texts = set()
        self.modules = set()
        self.variables = set()

    def imported_files(self, node, file):
        if isinstance(node, ast.Import):
            return [path for alias in node.names for path in self._module(self.folder, alias.name, True)]
        if isinstance(node, ast.ImportFrom):
            base = self.folder
            for level in range(node.level):
                base = os.path.dirname(file if level == 0 else base)
            module = node.module or ""
            # `from package import module` may name a module as well as something in the package.
            names = [module] + [module + ("." if module else "") + alias.name for alias in node.names]
            return [path for name in names for path in self._module(base, name, node.level == 0)]
        if isinstance(node, ast.Call) and _is_import_module(node):
            return self._by_text(node.args[0], file)
        return []

    def _by_text(self, argument, file):
        """A name that begins with a text and ends otherwise means every module of the package it begins with."""
        text, is_whole = _beginning(argument)
        base, name = (os.path.dirname(file), text.lstrip(".")) if text.startswith(".") else (self.folder, text)
        if is_whole:
            return self._module(base, name, not text.startswith("."))
        package = os.path.join(base, *name.split(".")[:-1])
        if not name.rpartition(".")[0] or not os.path.isdir(package):
            return []
        return [os.path.join(package, one) for one in sorted(os.listdir(package)) if one.endswith(".py")]

    def _module(self, base, name, is_absolute):
        files = _module_files(base, name)
        if files or not is_absolute or not name:
            return files
        top = name.split(".")[0]
        if top in _own or top in sys.builtin_module_names or _module_files(base, top) or top == "__future__":
            return []
        origin = find_origin(top)
        if origin is None or is_standard(origin):
            return []
        if is_installed(origin):
            self.modules.add(top)
            return []
        # Found through a path of its own (`sys.path`, a package installed for editing): code of the user's.
        is_package = os.path.isdir(origin) or os.path.basename(origin) == "__init__.py"
        package = origin if os.path.isdir(origin) else os.path.dirname(origin)
        return _module_files(os.path.dirname(package) if is_package else package, name)

    def add_text(self, node, file):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) <= 200:
            self.texts.add((os.path.dirname(file), node.value))
        elif isinstance(node, ast.JoinedStr):
            text, is_whole = _beginning(node)
            if not is_whole and "/" in text:
                self.texts.add((os.path.dirname(file), text.rpartition("/")[0] + "/"))

    def add_variable(self, node):
        """`os.environ["A"]`, `os.environ.get("A")`, `os.getenv("A")`."""
        if isinstance(node, ast.Subscript) and _is_named(node.value, "environ"):
            self._add_name(node.slice)
        elif isinstance(node, ast.Call) and node.args:
            function = node.func
            is_get = isinstance(function, ast.Attribute) and _is_named(function.value, "environ")
            if is_get or _is_named(function, "getenv"):
                self._add_name(node.args[0])

    def _add_name(self, node):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.variables.add(node.value)


def _parse(file):
    try:
        with open(file, "rb") as opened:
            return ast.parse(opened.read(), file)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _is_named(node, name):
    return getattr(node, "attr", getattr(node, "id", None)) == name


def _is_import_module(node):
    return bool(node.args) and any(_is_named(node.func, name) for name in ("import_module", "__import__"))


def _beginning(node):
    """What a text begins with, and whether that is all of it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value, True
    if isinstance(node, ast.JoinedStr) and node.values:
        text, is_whole = _beginning(node.values[0])
        return text, is_whole and len(node.values) == 1
    if isinstance(node, ast.BinOp):
        return _beginning(node.left)[0], False
    return "", False


def _module_files(base, name):
    """The files that importing a.b.c runs: a/__init__.py, a/b/__init__.py and a/b/c.py or a/b/c/__init__.py."""
    steps = [step for step in name.split(".") if step]
    files = [os.path.join(base, "__init__.py")] if not steps else []
    for count in range(1, len(steps) + 1):
        way = os.path.join(base, *steps[:count])
        files += [os.path.join(way, "__init__.py"), way + ".py"]
    return [os.path.abspath(file) for file in files if os.path.isfile(file)]
