"""What a file takes from modules by `module.name` whenever it is loaded. Nothing is run; where there is doubt, nothing is told."""

import ast

from .single_tool import has_star, names_given
from .undefined_names import names_loaded


def taken_attributes(tree):
    """[(the attribute, the whole name of the module)]"""
    if has_star(tree):
        return []
    modules = _imported(tree)
    loaded = set(map(id, names_loaded(tree)))
    attributes = [one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and id(one.value) in loaded]
    return [(one, modules[one.value.id]) for one in attributes if isinstance(one.ctx, ast.Load) and one.value.id in modules]


def _imported(tree):
    """The modules by the names that mean them all over the file, and nothing else."""
    aliases = [alias for one in tree.body if isinstance(one, ast.Import) for alias in one.names]
    modules, others = {}, {name for one in ast.walk(tree) if one not in aliases for name in names_given(one)}
    for alias in aliases:
        name, module = names_given(alias)[0], alias.name if alias.asname else alias.name.split(".")[0]
        if modules.setdefault(name, module) != module:
            others.add(name)
    return {name: module for name, module in modules.items() if name not in others}
