"""Names that a module is asked for and does not give. None is imported that is not here anyway; where there is doubt, nothing is told."""

import ast
import functools
import sys

from .packages import is_installed, is_standard
from .prompt_flow_names import is_prompt_flows, is_written
from .single_tool import may_define, names_defined
from .source_texts import bytes_of
from .undefined_names import nearest_name


def absent_name(spec, name, tree=None):
    """None: it may be there; else the nearest names that are, one or none.

    tree: of a module of the user's
    """
    standard = sys.modules.get(spec.name) if is_standard(spec.origin or "") else None
    if standard is not None:
        return None if hasattr(standard, name) else nearest_name(name, dir(standard))
    if is_prompt_flows(spec):
        return None if is_written(spec, name) else []
    if tree is None and is_installed(spec.origin or "") and not name.startswith("_"):
        tree = _parsed(spec.origin)
    return None if tree is None or may_define(tree, name) else nearest_name(name, names_defined(tree))


@functools.lru_cache(maxsize=64)
def _parsed(path):
    """None: it is no code, or none that this Python reads."""
    try:
        return ast.parse(bytes_of(path)) if path.endswith(".py") else None
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
