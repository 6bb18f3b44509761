"""Variables of the environment that a file asks for whenever it is loaded, by `os.environ["NAME"]`, and that are not set."""

import ast
import os
import re

from .undefined_names import surely_evaluated

# Code that may set them: who sets one is not told from who sets another.
_SETS = re.compile(r"dotenv|\benviron\b\s*(\[[^\]]*\]\s*=(?!=)|\.(update|setdefault)\b|\|=)|\bputenv\b")


def may_set_variables(text):
    return _SETS.search(text) is not None


def unset_variables(tree):
    """[(where it is asked for, its name)]"""
    places = [one for statement in tree.body for one in _asked(statement)]
    return [(one, one.slice.value) for one in places if one.slice.value not in os.environ]


def _asked(node):
    if _is_variable(node):
        yield node
        return
    for part in surely_evaluated(node):
        yield from _asked(part)


def _is_variable(node):
    if not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Constant)):
        return False
    asked = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", None)
    return asked == "environ" and isinstance(node.slice.value, str)
