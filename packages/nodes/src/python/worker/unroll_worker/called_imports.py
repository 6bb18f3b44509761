"""Imports that the one tool of a file comes to whenever it is called. Nothing is run; where there is doubt, nothing is told."""

import ast

from .single_tool import UNSEEN, has_star, is_marked, names_used

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What may end a call before what follows is come to.
_ENDS = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)


def called_imports(tree):
    """The statements, of a file that is known to have one tool."""
    if has_star(tree) or names_used(tree) & UNSEEN:
        return
    function = _tool(tree)
    for statement in function.body if function else ():
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield statement
        elif any(isinstance(one, _ENDS) for one in ast.walk(statement)):
            return


def _tool(tree):
    """None where another than the functions in sight may be called in its place."""
    functions = [one for one in tree.body if isinstance(one, _FUNCTIONS)]
    methods = [one for owner in tree.body if isinstance(owner, ast.ClassDef) for one in owner.body if isinstance(one, _FUNCTIONS)]
    marked = [one for one in [*functions, *methods] if is_marked(one)]
    if len(marked) == 1:
        return marked[0]
    public = [one for one in functions if not one.name.startswith("_") and not one.decorator_list]
    return public[0] if not marked and len(public) == 1 and not methods else None
