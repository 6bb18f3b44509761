"""Whether the user's files import each other in an order that Python refuses. Nothing is run; where there is doubt, nothing is told."""

import ast

from .single_tool import UNSEEN, has_star, names_defined, names_used

# Who uses these may import what nobody sees here, or give names to other files.
_UNSEEN = UNSEEN | {"import_module", "__import__", "exec_module", "load_module", "reload", "run_module", "run_path"}


class Circular(Exception):
    """A name is asked of a file that has not come to it, since it imports the one that asks."""

    def __init__(self, path, statement, name, partial):
        self.path, self.statement, self.name, self.partial = path, statement, name, partial


class Unclear(Exception):
    """Whether a file is imported depends on what a package has by then."""


class Loading:
    """What is imported as files are loaded, as far as each has come.

    module_of: (path, tree, package) of a module of the user's by its name, or None
    """

    def __init__(self, module_of):
        self._module_of = module_of
        self._defined = {}

    def begun(self):
        return set(self._defined)

    def run(self, path, tree, package="", is_named=True):
        """is_named: whether the file is a module that others can import; that of a node is none."""
        defined = set()
        if is_named:
            self._defined[path] = (tree, defined)
        for statement in tree.body:
            # What the statement itself gives is there too, so that there is no doubt of what is not.
            defined |= names_defined(statement)
            if isinstance(statement, ast.Import):
                for alias in statement.names:
                    self.import_module(alias.name)
            elif isinstance(statement, ast.ImportFrom):
                self._import_from(statement, path, package)
        if is_named:
            self._defined[path] = (tree, None)

    def import_module(self, name):
        parts = name.split(".")
        for count in range(1, len(parts) + 1):
            module = self._module_of(".".join(parts[:count]))
            if module is not None and module[0] not in self._defined:
                self.run(*module)

    def _import_from(self, statement, path, package):
        name = absolute_name(statement, package)
        if name is None:
            return
        self.import_module(name)
        module = self._module_of(name)
        for alias in statement.names:
            part = self._module_of(f"{name}.{alias.name}")
            if part is not None:
                if part[0] not in self._defined and module is not None and alias.name in names_defined(module[1]):
                    raise Unclear
                self.import_module(f"{name}.{alias.name}")
            elif module is not None and self._is_not_yet(module[0], alias.name):
                raise Circular(path, statement, alias.name, module[0])

    def _is_not_yet(self, path, name):
        tree, defined = self._defined[path]
        if defined is None or name in defined or name.startswith("__"):
            return False
        return "__getattr__" not in names_defined(tree)


def absolute_name(statement, package):
    """The module that names are taken from; None where a relative import leads nowhere."""
    name = statement.module or ""
    if statement.level == 0:
        return name
    parts = package.split(".")
    if package == "" or statement.level > len(parts):
        return None
    return ".".join([*parts[: len(parts) - statement.level + 1], *([name] if name else [])])


def circular_imports(entries, module_of):
    """Failures of files that are loaded one by one, unless another begins in a way that works and leaves the modules there.

    entries: for each file the ways in which it may be loaded, each (path, tree, its name as a module or None)
    """
    failed, working = [], set()
    for ways in entries:
        failures = []
        for path, tree, name in ways:
            loading = Loading(module_of)
            try:
                loading.import_module(name) if name else loading.run(path, tree, is_named=False)
                working |= loading.begun()
            except Circular as failure:
                failures.append(failure)
            except Unclear:
                return []
        failed += failures[:1] if len(failures) == len(ways) else []
    return [one for one in failed if not {one.path, one.partial} & working]


def may_change_others(tree):
    """Whether a file imports what nobody sees here, or may give names to others."""
    stored = [one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load)]
    return has_star(tree) or names_used(tree) & _UNSEEN or any(getattr(one.value, "id", None) != "self" for one in stored)


def nested_imports(tree):
    """Names of modules that are imported elsewhere than at the outermost level, sooner or later; `.` stands for relative ones."""
    outermost = set(map(id, tree.body))
    for one in ast.walk(tree):
        if id(one) in outermost:
            continue
        if isinstance(one, ast.Import):
            yield from (alias.name for alias in one.names)
        elif isinstance(one, ast.ImportFrom):
            yield "." if one.level else one.module or "."
