"""Whether a file has the one tool that a node is, as far as that can be seen without running it. Where there is doubt, nothing is told."""

import ast
import builtins

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Who uses these may make tools that nobody sees.
UNSEEN = {"exec", "eval", "globals", "locals", "vars", "setattr", "f_globals", "function_node", "__dict__", "modules"}


def tool_mistake(tree, only_marked):
    """None, or the line where it is told, and the tools where there are several.

    only_marked: whether a lone function without `@tool` is none, by the rule of `loaded_node`
    """
    marked = [one for one in tree.body if isinstance(one, _FUNCTIONS) and is_marked(one)] if _imports_tool(tree) else []
    names = sorted({one.name for one in marked})
    if len(names) > 1 and not _is_rewritten(tree, marked):
        return {"line": marked[-1].lineno, "tools": names}
    decorated = [one for one in ast.walk(tree) if getattr(one, "decorator_list", [])]
    if len(decorated) == 1 and isinstance(decorated[0], ast.ClassDef) and is_marked(decorated[0]) and _imports_tool(tree):
        return {"line": decorated[0].lineno, "tools": []}
    if _may_have_tools(tree):
        return None
    functions = [one for one in ast.walk(tree) if isinstance(one, _FUNCTIONS)]
    public = [one for one in functions if not one.name.startswith("_")]
    # One that is defined within something may or may not be there in the end.
    if not only_marked and any(one not in tree.body for one in public):
        return None
    if not only_marked and len({one.name for one in public}) == 1:
        return None
    return {"line": public[0].lineno if public else 1, "tools": []}


def seen_constructor(tree):
    """The class of the one tool and the method of it, each with its name, where nothing but its own `__init__` makes it; else None."""
    classes = [one for one in tree.body if isinstance(one, ast.ClassDef)]
    if len(classes) != 1 or not _imports_tool(tree) or has_star(tree) or names_used(tree) & UNSEEN:
        return None
    owner = classes[0]
    bases = [getattr(base, "id", None) for base in owner.bases]
    made = [one for one in owner.body if isinstance(one, _FUNCTIONS) and one.name == "__init__"]
    tools = [one.name for one in owner.body if isinstance(one, _FUNCTIONS) and is_marked(one)]
    is_plain = bases == ["ToolProvider"] and not owner.decorator_list and not owner.keywords
    stored = [one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)]
    if not is_plain or len(made) != 1 or len(tools) != 1 or made[0].decorator_list or {"__init__", owner.name} & set(stored):
        return None
    return {"title": f"{owner.name}.{tools[0]}", "arguments": made[0].args}


def undefined_decorator(tree):
    """The first decorator at the outermost level that nothing in the file defines, as an expression; None: there is none."""
    if has_star(tree) or names_used(tree) & UNSEEN:
        return None
    defined = names_defined(tree)
    for one in tree.body:
        for decorator in getattr(one, "decorator_list", []):
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(called, ast.Name) and called.id not in defined and not hasattr(builtins, called.id):
                return called
    return None


def may_define(tree, name):
    """Whether a file may give a name to who imports it."""
    defined = names_defined(tree)
    is_seen = not (has_star(tree) or names_used(tree) & UNSEEN or "__getattr__" in defined)
    return not is_seen or name.startswith("__") or name in defined


def may_set(tree, name):
    """Whether a file may give a name to another: `helper.name = 1`, or by means that show no name."""
    for one in ast.walk(tree):
        if isinstance(one, ast.Attribute) and one.attr == name and not isinstance(one.ctx, ast.Load):
            return True
        if isinstance(one, ast.Call) and getattr(one.func, "id", None) == "setattr" and getattr((one.args or [None])[0], "id", None) != "self":
            return True
    return bool(names_used(tree) & {"modules", "__dict__"})


def has_star(tree):
    return any(isinstance(one, ast.ImportFrom) and one.names[0].name == "*" for one in ast.walk(tree))


def names_defined(tree):
    """Anywhere in the file, whether it comes to be or not."""
    return {name for one in ast.walk(tree) for name in names_given(one)}


def names_given(one):
    """By a part of a file itself, and not by what is in it."""
    if isinstance(one, ast.Name):
        return [] if isinstance(one.ctx, ast.Load) else [one.id]
    if isinstance(one, ast.alias):
        return [one.asname or one.name.split(".")[0]]
    # `rest`: of `case {"key": value, **rest}`.
    return [name for name in (getattr(one, "name", None), getattr(one, "rest", None)) if isinstance(name, str)]


def _imports_tool(tree):
    """Whether `tool` is Prompt flow's, and no other's."""
    ours = [
        alias
        for one in ast.walk(tree)
        if isinstance(one, ast.ImportFrom) and (one.module or "").split(".")[0] == "promptflow"
        for alias in one.names
        if "tool" in names_given(alias)
    ]
    return bool(ours) and not any("tool" in names_given(one) for one in ast.walk(tree) if one not in ours)


def is_marked(function):
    """A function that `@tool` alone stands above, or a class, of which that makes no tool."""
    return len(function.decorator_list) == 1 and getattr(function.decorator_list[0], "id", None) == "tool"


def _is_rewritten(tree, marked):
    """Whether the name of a tool means something else in the end, or is taken away."""
    others = {name for one in ast.walk(tree) if one not in marked for name in names_given(one)}
    return names_used(tree) & UNSEEN or others & {one.name for one in marked}


def _may_have_tools(tree):
    used = names_used(tree)
    decorated = any(getattr(one, "decorator_list", []) for one in ast.walk(tree))
    classes = any(isinstance(one, ast.ClassDef) and one.bases for one in ast.walk(tree))
    return has_star(tree) or decorated or classes or "tool" in used or bool(used & UNSEEN) or _hands_over_functions(tree)


def _hands_over_functions(tree):
    """Whether something is called with a function of the file, as decorators are."""
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    handed = [one for call in calls for one in [*call.args, *(given.value for given in call.keywords)]]
    names = {one.name for one in ast.walk(tree) if isinstance(one, _FUNCTIONS)}
    return any(isinstance(one, ast.Lambda) or getattr(one, "id", None) in names for argument in handed for one in ast.walk(argument))


def names_used(tree):
    return {
        getattr(one, "id", None) or getattr(one, "attr", None)
        for one in ast.walk(tree)
        if isinstance(one, (ast.Name, ast.Attribute))
    }
