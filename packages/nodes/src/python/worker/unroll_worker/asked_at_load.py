"""What a file asks of its surroundings whenever it is loaded and is not given: variables (`os.environ["NAME"]`), files (`open("name")`)."""

import ast
import os
import re

from .source_texts import bytes_of
from .undefined_names import surely_evaluated

# Code that may give them: who gives one is not told from who gives another.
_GIVES = {
    "unset": re.compile(r"dotenv|\benviron\b\s*(\[.*\]\s*=(?!=)|=(?!=)|\.(update|setdefault)\b|\|=)|\bputenv\b"),
    "unfound": re.compile(
        # An `open` of its own, a file opened to be written, calls that make one.
        r"\bopen\b\s*[=,)]|\b(import\b.*|def )\bopen\b|\bopen\([^)\n]*,[^)\n]*[wax+]"
        r"|(write|save|copy|move|dump|extract|unpack|rename|symlink|clone|retrieve|download|chdir|mkdir|touch|to_\w+)\w*\(|subprocess|os\.system"
    ),
}


def may_give(text):
    """Kinds of what is asked for that code may give."""
    return {kind for kind, code in _GIVES.items() if code.search(text)}


def asked_at_load(tree):
    """[(where it is asked for, "unset" or "unfound", its name)], of files the relative ones: they lie in the folder it is run in."""
    return [one for statement in tree.body for one in _asked(statement)]


def naming_package(packages, name):
    """The package that names a file, and may make it as it is imported; packages: {name: its file}."""
    named = os.path.basename(name).encode()
    return next((one for one, origin in packages.items() if any(named in (bytes_of(path) or b"") for path in _files_of(origin))), None)


def _files_of(origin):
    if os.path.basename(origin) != "__init__.py":
        return [origin]
    return (os.path.join(folder, name) for folder, _, names in os.walk(os.path.dirname(origin)) for name in names if name.endswith(".py"))


def _asked(node):
    name = _variable(node)
    if name is not None:
        if name not in os.environ:
            yield node, "unset", name
        return
    name = _read_file(node)
    if name is not None and not os.path.exists(name):
        yield node, "unfound", name
    for part in surely_evaluated(node):
        yield from _asked(part)


def _variable(node):
    if not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Constant)):
        return None
    asked = ast.unparse(node.value)
    return node.slice.value if asked in ("os.environ", "environ") and isinstance(node.slice.value, str) else None


def _read_file(node):
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open" and node.args):
        return None
    name, *modes = [getattr(one, "value", None) for one in node.args[:2]]
    modes += [getattr(one.value, "value", None) for one in node.keywords if one.arg == "mode"]
    is_read = all(isinstance(mode, str) and re.fullmatch("r[bt]?", mode) for mode in modes)
    return name if is_read and isinstance(name, str) and name and not os.path.isabs(name) else None
