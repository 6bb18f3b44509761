"""Uses of Prompt flow's `@tool` that raise whenever the file is loaded. Where there is doubt, nothing is told."""

import ast

from .single_tool import UNSEEN, has_star, names_given, names_used

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
    names, ours = set(), set()
    for statement in tree.body:
        for alias in getattr(statement, "names", []):
            name = _tool_name(statement, alias)
            if name is not None:
                names.add(name)
                ours.add(alias)
    others = {name for one in ast.walk(tree) if one not in ours for name in [*names_given(one), _attribute_given(one)]}
    return {name for name in names if not {name.split(".")[0], name.split(".")[-1]} & others}


def _tool_name(statement, alias):
    if isinstance(statement, ast.ImportFrom):
        is_prompt_flows = statement.level == 0 and (statement.module or "").split(".")[0] == "promptflow"
        return (alias.asname or alias.name) if is_prompt_flows and alias.name == "tool" else None
    is_module = isinstance(statement, ast.Import) and alias.name in ("promptflow", "promptflow.core")
    return f"{alias.asname or alias.name}.tool" if is_module else None


def _attribute_given(one):
    return one.attr if isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load) else None


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
