"""What a node's file is made of: the modules of the flow's folder it imports, and the texts that name files there."""

import ast
import os


def find_sources(path, folder):
    """Absolute paths of the file and of all modules of `folder` that it imports, directly or not, and its texts.

    A module is read, never run. What is imported by a name put together while the code runs is not seen.
    """
    code, texts, open_files = [], set(), [os.path.abspath(path)]
    while open_files:
        file = open_files.pop()
        if file in code:
            continue
        code.append(file)
        for node in ast.walk(_parse(file)):
            open_files.extend(_imported_files(node, file, folder))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) <= 200:
                texts.add((os.path.dirname(file), node.value))
    return {"code": code, "texts": sorted(texts)}


def _parse(file):
    try:
        with open(file, "rb") as opened:
            return ast.parse(opened.read(), file)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _imported_files(node, file, folder):
    if isinstance(node, ast.Import):
        names = [(folder, alias.name) for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        base = folder
        for level in range(node.level):
            base = os.path.dirname(file if level == 0 else base)
        module = node.module or ""
        dotted = module + "." if module else ""
        # `from package import module` may name a module as well as something in the package.
        names = [(base, module)] + [(base, dotted + alias.name) for alias in node.names]
    elif isinstance(node, ast.Call) and _is_import_module(node):
        names = [(folder, node.args[0].value)]
    else:
        return []
    return [found for base, name in names for found in _module_files(base, name)]


def _is_import_module(node):
    name = getattr(node.func, "attr", getattr(node.func, "id", None))
    first = node.args[0] if node.args else None
    return name in ("import_module", "__import__") and isinstance(first, ast.Constant) and isinstance(first.value, str)


def _module_files(base, name):
    """The files that importing a.b.c runs: a/__init__.py, a/b/__init__.py and a/b/c.py or a/b/c/__init__.py."""
    steps = [step for step in name.split(".") if step]
    files = [os.path.join(base, "__init__.py")] if not steps else []
    for count in range(1, len(steps) + 1):
        way = os.path.join(base, *steps[:count])
        files += [os.path.join(way, "__init__.py"), way + ".py"]
    return [os.path.abspath(file) for file in files if os.path.isfile(file)]
