"""Uses of Prompt flow's `@tool` that raise whenever the file is loaded. Where there is doubt, nothing is told."""

import ast

from .single_tool import UNSEEN, has_star, names_used

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NO_FUNCTIONS = (ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set)


def wrong_decorators(tree):
    """Calls of it that are handed something else in place of the function."""
    names = _tool_names(tree)
    if not names or has_star(tree) or names_used(tree) & UNSEEN:
        return []
    return [
        decorator
        for function in _loaded_functions(tree.body)
        for decorator in function.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) in names and _is_refused(decorator.args)
    ]


def _tool_names(tree):
    """What stands for Prompt flow's decorator in the file, and for nothing else."""
    names = set()
    for one in tree.body:
        if isinstance(one, ast.ImportFrom) and one.level == 0 and (one.module or "").split(".")[0] == "promptflow":
            names |= {alias.asname or alias.name for alias in one.names if alias.name == "tool"}
        elif isinstance(one, ast.Import):
            names |= {f"{alias.asname or alias.name}.tool" for alias in one.names if alias.name in ("promptflow", "promptflow.core")}
    return names - _other_names(tree)


def _other_names(tree):
    stored = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    return stored | {one.name for one in ast.walk(tree) if isinstance(one, (*_FUNCTIONS, ast.ClassDef))}


def _loaded_functions(body):
    for one in body:
        if isinstance(one, _FUNCTIONS):
            yield one
        elif isinstance(one, ast.ClassDef):
            yield from _loaded_functions(one.body)


def _is_refused(arguments):
    if any(isinstance(one, ast.Starred) for one in arguments):
        return False
    return len(arguments) > 1 or any(_is_no_function(one) for one in arguments)


def _is_no_function(one):
    return isinstance(one, _NO_FUNCTIONS) or (isinstance(one, ast.Constant) and one.value is not None)
