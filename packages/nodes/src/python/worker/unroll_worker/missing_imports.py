"""Which imports of the user's files cannot be found. Files are read and their code is not run.

What counts is what every run of a file imports: `import` and `from` at its outermost level; and, in doubt, what the tool of a node
comes to whenever it is called. Those in other functions, conditions and `try` may never be reached, or may be meant to fail.
"""

import ast
import os
import sys
import warnings

from .absent_names import absent_name
from .asked_at_load import asked_at_load, may_give, naming_package
from .called_imports import called_imports
from .changed_search import ChangedSearch
from .circular_imports import absolute_name, circular_imports, may_change_others, nested_imports
from .closed_packages import closed_package
from .module_specs import is_namespace, locations_of, spec_of
from .own_folders import is_ours
from .packages import is_installed, is_standard
from .prompt_flow_names import absent_of_stand_in, is_prompt_flows, is_stand_in
from .single_tool import may_set, seen_constructor, tool_mistake, undefined_decorator
from .source_texts import bytes_of, text_of
from .taken_attributes import taken_attributes
from .text_places import offset, start_of
from .told_mistakes import ToldMistakes
from .tool_decorators import wrong_decorators
from .undefined_names import undefined_names

_STANDARD = getattr(sys, "stdlib_module_names", sys.modules)


class Imports:
    def __init__(self):
        self._folder = os.getcwd()
        self.told = ToldMistakes(self._folder)
        self._trees = {}
        self._asked = []
        self._given = set()
        self._called = []
        self._absent = []
        self._packages = {}
        self.search = ChangedSearch(self._folder)
        self._read = set()

    def finds(self, name):
        return self._find(name)[0] is None

    def read_file(self, path, package=""):
        """Also the user's own modules that it imports.

        package: of the module that the file is; relative imports count from it
        """
        path = os.path.abspath(path)
        if path in self._read:
            return
        self._read.add(path)
        data = bytes_of(path)
        if data is None:
            return
        text = data.decode("utf-8-sig", "replace")
        self.search.read(path, text)
        # A file in another encoding says so itself, to who reads its bytes.
        tree = self._parse(path, text, data if "\ufffd" in text else text)
        self._require_defined(path, text, tree)
        self._given |= may_give(text)
        self._asked += [(path, text, *one) for one in (asked_at_load(tree) if tree else ())]
        for statement in tree.body if tree else ():
            self._require_imported(statement, package, (path, text, statement))
            if isinstance(statement, ast.Raise):
                self.told.tell_unfit_line(path, statement.lineno, "raises", [])
        for taken, module in taken_attributes(tree) if tree else ():
            if self.finds(module):
                self._require(module, [taken.attr], (path, text, taken))

    def read_loaded(self, path):
        """A file that is loaded by itself; one that lies in the flow's folder belongs to no package there."""
        self.read_file(path)
        path = os.path.abspath(path)
        if os.path.dirname(path) == self._folder:
            self._doubt_relative(path)

    def read_node(self, path, only_marked):
        """The file of a node, which has one tool; returns what its class is made with, where that is seen."""
        self.read_file(path)
        path = os.path.abspath(path)
        tree = self._trees.get(path)
        if tree is None:
            return None
        decorator = undefined_decorator(tree)
        found = tool_mistake(tree, only_marked)
        if decorator is None and found is not None:
            self.told.tell_unfit_line(path, found["line"], "tools", found["tools"])
        self._doubt_relative(path)
        self._called += [(path, statement) for statement in called_imports(tree)] if found is None else []
        return seen_constructor(tree)

    def read_called(self):
        """Once all that is loaded is read: what tools import as they are called, and the files that are loaded then."""
        self.told.is_called = True
        for path, statement in self._called:
            self._require_imported(statement, "", (path, text_of(path), statement))
        self.tell_absent()

    def tell_absent(self):
        """Once all files are read: any of them may set names and variables for the others."""
        for path, line, names in self._absent:
            if not any(may_set(tree, names[0]) for tree in self._trees.values()):
                self.told.tell_unfit_line(path, line, "name", names)
        for path, text, node, kind, name in self._asked:
            if kind not in self._given:
                package = naming_package(self._packages, name) if kind == "unfound" else None
                told = (kind, [name]) if package is None else ("unmade", [name, package])
                self.told.tell_unfit(path, start_of(text, node), *told)
        self._absent, self._asked = [], []

    def tell_circular(self, by_node, by_name, files):
        """Of other files nobody knows here whether they are loaded as modules of their names or by themselves. Packages may be read here first."""
        entries, trees = [], self._trees
        for path in sorted(path for path in files if os.path.abspath(path) in trees):
            name = self.told.shown(path)[: -len(".py")].replace("/", ".")
            ways = [None] if path in by_node else [name] if path in by_name else [None, name]
            entries.append([(os.path.abspath(path), self._trees[os.path.abspath(path)], one) for one in ways])
        for one in circular_imports(entries, self._module_of):
            if any(may_change_others(tree) or any(map(self._may_be_users, nested_imports(tree))) for tree in trees.values()):
                return
            self.told.tell_unfit_line(one.path, one.statement.lineno, "circular", [one.name, *map(self.told.shown, (one.partial, one.path))])

    def _may_be_users(self, name):
        spec = spec_of(name.split(".")[0], None) if name[0] != "." else None
        return name[0] == "." or (spec is not None and (spec.origin is None or self._is_users(spec.origin)))

    def _module_of(self, name):
        """(path, tree, package) of a module of the user's that was read."""
        spec = self._find(name)[1]
        path = os.path.abspath(spec.origin) if spec is not None and name not in _STANDARD and self._is_users(spec.origin) else None
        is_package = path in self._trees and spec.submodule_search_locations is not None
        return (path, self._trees[path], name if is_package else name.rpartition(".")[0]) if path in self._trees else None

    def _doubt_relative(self, path):
        tree = self._trees.get(path)
        for one in tree.body if tree else ():
            if isinstance(one, ast.ImportFrom) and one.level > 0:
                self.told.tell_unfit_line(path, one.lineno, "relative", [one.module or ""])

    def _require_defined(self, path, text, tree):
        for call in wrong_decorators(tree) if tree else ():
            self.told.tell_unfit(path, start_of(text, call), "decorator", [ast.unparse(call.func), ast.unparse(call.args[0])])
        for name, is_sure, nearest in undefined_names(tree) if tree else ():
            self.told.tell_unfit(path, start_of(text, name), "undefined" if is_sure else "unsure", [name.id, *nearest])

    def _require_names(self, spec, names, place):
        """What is taken from a module that is one file: of the user's, of Prompt flow's, or of Python's own that is imported here anyway."""
        # A module of Python's own with the name of one of the user's may be imported by then.
        tree = None if spec.name in _STANDARD or not self._is_users(spec.origin) else self._trees.get(os.path.abspath(spec.origin))
        for name in names:
            nearest = absent_name(spec, name, tree)
            if nearest is not None:
                shown = spec.name if tree is None else self.told.shown(os.path.abspath(spec.origin))
                self._absent.append((place[0], place[2].lineno, [name, shown, *nearest]))

    def _parse(self, path, text, source):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(source, path)
                compile(tree, path, "exec", dont_inherit=True)
            self._trees[path] = tree
            return tree
        except SyntaxError as error:
            column = max((error.offset or 1) - 1, 0) if isinstance(source, str) else 0
            self.told.tell_unreadable(path, offset(text, error.lineno or 1, column), error.msg)
        except (ValueError, RecursionError, MemoryError):
            pass
        return None

    def _require_imported(self, statement, package, place):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                self._require(alias.name, None, place)
        name = absolute_name(statement, package) if isinstance(statement, ast.ImportFrom) else None
        if name is not None:
            self._require(name, [alias.name for alias in statement.names if alias.name != "*"], place)

    def _require(self, name, parts, place):
        absent, spec = self._find(name)
        if absent is None and is_stand_in(spec):
            absent = absent_of_stand_in(name, parts or [])
        if absent is None and spec is not None and spec.submodule_search_locations is not None:
            absents = [self._find(f"{name}.{part}", is_part=True)[0] for part in parts or []]
            absent = next((one for one in absents if one is not None), None)
        if absent is not None:
            self.told.tell_missing(absent, name, place)
        elif spec is not None and spec.submodule_search_locations is None:
            self._require_names(spec, parts or [], place)
        elif spec is not None:
            for part in parts or []:
                nearest = absent_name(spec, part)
                if nearest is not None and self._find(f"{name}.{part}", is_part=True)[1] is None:
                    self._absent.append((place[0], place[2].lineno, [part, name, *nearest]))

    def _find(self, name, is_part=False):
        """(what of the name is not there, None) or (None, its spec); without a spec where nobody can tell.

        is_part: the last part may be something in the module before it
        """
        path, spec, is_certain = None, None, True
        parts = name.split(".")
        for count in range(1, len(parts) + 1):
            full = ".".join(parts[:count])
            spec = spec_of(full, path) or (self.search.spec_of(full) if count == 1 else None)
            if spec is None:
                is_module = count < len(parts) or not is_part
                return (full, None) if is_certain or is_module and closed_package(full) else (None, None)
            self._follow(spec, full)
            if spec.submodule_search_locations is None:
                # Other files may put modules below themselves, as Python's os does.
                if count < len(parts) and (is_prompt_flows(spec) or is_stand_in(spec)):
                    return ".".join(parts[: count + 1]), None
                return None, spec if count == len(parts) else None
            path = locations_of(spec)
            is_last = count == len(parts) - 1
            is_read = self._is_users(spec.origin) or is_stand_in(spec)
            is_certain = is_namespace(spec) or (is_read and not (is_part and is_last))
        return None, spec

    def _follow(self, spec, name):
        if self._is_users(spec.origin):
            self.read_file(spec.origin, name if spec.submodule_search_locations is not None else name.rpartition(".")[0])
        elif "." not in name and spec.origin and is_installed(spec.origin):
            self._packages[name] = spec.origin

    def _is_users(self, path):
        if not path or not path.endswith(".py"):
            return False
        path = os.path.abspath(path)
        is_inside = path.startswith(self._folder + os.sep)
        return is_inside and not (is_ours(path) or is_installed(path) or is_standard(path))
