"""Names that a file uses and nothing gives: neither the file nor Python. Nothing is run; where there is doubt, nothing is told.

A name that the file gives anywhere is given, so that what is told holds wherever its conditions lead.
"""

import ast
import builtins
import difflib
import sys
from types import ModuleType

from .single_tool import UNSEEN, has_star, names_defined, names_used

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What of `enum` gives names to the file that calls it.
_GIVES_NAMES = {"_convert_", "_convert", "global_enum", "global_enum_repr"}
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Given to modules, and to classes while they are made; `_` is given to all by `gettext.install`.
_ALWAYS = {"__file__", "__path__", "__annotations__", "__builtins__", "__class__", "__module__", "__qualname__", "_"}


def undefined_names(tree):
    """[(the name where it is used, whether the file cannot be loaded for it, a list of the nearest name)]"""
    used = names_used(tree)
    if has_star(tree) or used & (UNSEEN | _GIVES_NAMES) or "builtins" in names_defined(tree):
        return []
    given = names_defined(tree) | _arguments(tree) | _ALWAYS | set(dir(builtins)) | set(dir(ModuleType("")))
    sure = names_loaded(tree)
    told = {}
    for name in [*sure, *_reachable(tree)]:
        if name.id not in given:
            told.setdefault(name.id, name)
    return [(name, any(name is one for one in sure), nearest_name(name.id, given)) for name in told.values()]


def names_loaded(tree):
    """Names as they are read whenever the file is loaded."""
    return list(_loaded(tree.body, _has_text_annotations(tree)))


def nearest_name(name, given):
    """A list of one name, or of none."""
    return difflib.get_close_matches(name, [one for one in sorted(given) if not one.startswith("_")], 1, 0.75)


def _arguments(tree):
    return {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}


def _has_text_annotations(tree):
    """Whether annotations are not evaluated as the file is loaded."""
    futures = [one for one in tree.body if isinstance(one, ast.ImportFrom) and one.module == "__future__"]
    return sys.version_info >= (3, 14) or any(alias.name == "annotations" for one in futures for alias in one.names)


def _loaded(body, has_texts):
    """Names that are read whenever the statements are run: none in branches, `try` and `with`, which may pass over them."""
    for one in body:
        if isinstance(one, ast.ClassDef):
            for part in [*one.decorator_list, *one.bases, *one.keywords]:
                yield from _read(part)
            yield from _loaded(one.body, has_texts)
            continue
        yield from _read(one)
        if not has_texts and isinstance(one, _FUNCTIONS):
            for part in [*ast.walk(one.args), one]:
                annotation = getattr(part, "annotation", None) or getattr(part, "returns", None)
                yield from _read(annotation) if annotation else ()
        elif not has_texts and isinstance(one, ast.AnnAssign):
            yield from _read(one.annotation)


def _read(node):
    """Names that are read whatever their values are."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load):
            yield node
        return
    for part in surely_evaluated(node):
        yield from _read(part)


def surely_evaluated(node):
    """The parts of it that are evaluated whatever their values are."""
    if isinstance(node, (*_FUNCTIONS, ast.Lambda)):
        decorators = getattr(node, "decorator_list", [])
        return [*decorators, *node.args.defaults, *(one for one in node.args.kw_defaults if one)]
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        return [node.test]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return [node.iter]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [node.items[0].context_expr]
    if isinstance(node, ast.BoolOp):
        return [node.values[0]]
    if isinstance(node, ast.Compare):
        return [node.left, node.comparators[0]]
    if isinstance(node, _COMPREHENSIONS):
        return [node.generators[0].iter]
    if isinstance(node, ast.AnnAssign):
        return [node.value] if node.value else []
    if isinstance(node, ast.Assert):
        return [node.test]
    if type(node).__name__ in ("Try", "TryStar", "Match", "TypeAlias", "ClassDef"):
        return []
    return ast.iter_child_nodes(node)


def _reachable(node):
    """All names that are read, but for annotations and what a `try` for NameError holds."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load):
            yield node
        return
    if isinstance(node, ast.Try) and any("NameError" in names_used(one) for one in node.handlers):
        return
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_params"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield from _reachable(part)
