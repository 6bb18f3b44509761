"""Tools of installed packages: found by their entry points, described by their definitions."""

import importlib
import importlib.metadata
import inspect
import sys

from .connections import make_connection
from .dates import as_recorded, with_dates
from .failure import LoadFailure
from .value_types import convert_literal, unresolved_type

_GROUP = "package_tools"
_ESCAPED_INPUTS = "_inputs_to_escape"


class PackageNode:
    """A tool of a package ready to be called; to the server it is as a node with a file of its own."""

    def __init__(self, request):
        self.name = request["node"]
        definition, lister = find_listed(request["package"])
        self._title = definition.get("name", request["package"])
        self._inputs = definition.get("inputs") or {}
        self.literals, self.fixed = self._convert(given_literals(request), definition, request)
        if request.get("inputsToEscape"):
            self.fixed[_ESCAPED_INPUTS] = request["inputsToEscape"]
        self.module = importlib.import_module(definition["module"])
        self.begins_in = (self.module, sys.modules.get(lister))
        self.function, self._constructor_names = self._load(definition, request)
        if request.get("prompt") is not None:
            self._bind_prompt(request)
        self.is_async = inspect.iscoroutinefunction(self.function) or inspect.isasyncgenfunction(self.function)

    def arguments(self, inputs):
        arguments = {name: value for name, value in inputs.items() if name not in self._constructor_names}
        for name, value in self.fixed.items():
            if name in arguments or name in self._bound_names:
                arguments[name] = value
        return arguments

    _bound_names = frozenset([_ESCAPED_INPUTS])

    def describe(self):
        parameters = inspect.signature(self.function).parameters.values()
        return {
            "parameters": [
                {
                    "name": parameter.name,
                    "required": parameter.default is inspect.Parameter.empty,
                    "type": value_types(self._inputs.get(parameter.name))[0],
                }
                for parameter in parameters
                if parameter.kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
            ],
            "takesAnyInput": any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters),
            "literals": self.literals,
        }

    def _convert(self, literals, definition, request):
        """Literals as they are recorded, and the objects that stand for them in the call; by the definition alone."""
        shown, fixed = {}, {}
        for key, literal in literals.items():
            value, has_dates = with_dates(literal)
            written = self._inputs.get(key)
            if written is None:
                shown[key] = as_recorded(value) if has_dates else value
                if has_dates:
                    fixed[key] = value
                continue
            types = value_types(written)
            if types[0].endswith("Connection"):
                shown[key] = value
                fixed[key] = _connection(self.name, key, value, types, written, definition, request)
                continue
            converted, is_object = convert_literal(self.name, key, value, types[0], request)
            is_object = is_object or (has_dates and not isinstance(converted, str))
            shown[key] = (as_recorded(value) if has_dates else value) if is_object else converted
            if is_object:
                fixed[key] = converted
        return shown, fixed

    def _load(self, definition, request):
        class_name = definition.get("class_name")
        if not class_name:
            return getattr(self.module, definition["function"]), frozenset()
        provider = getattr(self.module, class_name)
        names = constructor_names(provider, self._title, self.literals, request["references"])
        given = {name: self.fixed.get(name, self.literals[name]) for name in names if name in self.literals}
        try:
            return getattr(provider(**given), definition["function"]), names
        except Exception as error:
            raise LoadFailure(
                f"Failed to load package tool '{self._title}': ({type(error).__name__}) {error}",
                "ToolLoadError",
            ) from error

    def _bind_prompt(self, request):
        from promptflow.contracts.types import PromptTemplate

        name = prompt_input(self.name, self._title, self.function, self._inputs, request)
        self.fixed[name] = PromptTemplate(request["prompt"])
        self._bound_names = frozenset([_ESCAPED_INPUTS, name])


def given_literals(request):
    return {key: value for key, value in request["literals"].items() if value is not None and value != ""}


def constructor_names(provider, title, literals, references):
    """What the class of a tool is made with, which literals alone can give."""
    parameters = [
        parameter for name, parameter in inspect.signature(provider.__init__).parameters.items() if name != "self"
    ]
    names = frozenset(parameter.name for parameter in parameters)
    for name in references:
        if name in names:
            raise LoadFailure(
                f"Invalid input for '{title}': Initialization input '{name}' requires a literal value, "
                f"but {references[name]} was received.",
                "InputTypeMismatch",
            )
    missing = [
        parameter.name
        for parameter in parameters
        if parameter.default is inspect.Parameter.empty
        and parameter.name not in literals
        and parameter.kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    ]
    if missing:
        raise LoadFailure(
            f"Required inputs {missing} are not provided for tool '{title}'.",
            "MissingRequiredInputs",
        )
    return names


def prompt_input(node, title, function, inputs, request):
    """The parameter that takes the template of a custom_llm node."""
    from promptflow.contracts.types import PromptTemplate

    twice = [name for name in request["variables"] if name in inputs]
    if twice:
        raise LoadFailure(
            f"Invalid inputs {set(twice)} in prompt template of node {node}. These inputs are duplicated "
            "with the inputs of custom llm tool.",
            "NodeInputValidationError",
        )
    for name, annotation in getattr(function, "__annotations__", {}).items():
        if annotation is PromptTemplate or annotation == "PromptTemplate":
            return name
    raise LoadFailure(
        f"Invalid Custom LLM tool {title}: function {function.__name__} is missing a prompt template argument.",
        "InvalidCustomLLMTool",
    )


def find_listed(id):
    """The definition of a tool, by its id or one of its old ids, and the name of the module that lists it."""
    tools, listed, broken = _collect(id)
    if id in tools:
        return tools[id]
    claimants = [key for key, (tool, _) in tools.items() if id in (tool.get("deprecated_tools") or [])]
    if len(claimants) > 1:
        raise LoadFailure(
            f"The tools '{claimants[0]}', '{claimants[1]}' are both linked to the deprecated tool ID '{id}'. To ensure "
            "secure operation, please either remove or adjust one of these tools in your environment and fix this "
            "conflict.",
            "DuplicateToolMappingError",
        )
    if claimants:
        print(f"Tool ID '{id}' is deprecated. Please use '{claimants[0]}' instead.", file=sys.stderr)
        return tools[claimants[0]]
    raise LoadFailure(
        f"Package tool '{id}' is not found in the current environment. "
        f"All available package tools are: {listed}.",
        "PackageToolNotFoundError",
    ) from broken


def unusable_tools(ids):
    """Those of the ids that no installed package lists, or whose package cannot be imported, which is the reason then."""
    told = []
    for id in ids:
        tools, _, broken = _collect(id)
        if not tools:
            told.append({"tool": id, "reason": broken and f"({type(broken).__name__}) {broken}"})
    return told


def _collect(id):
    """Definitions that claim the id, with the modules that list them, all ids, and why the package of the id could not be
    imported. A package whose tools cannot be listed is told of and left out."""
    tools, listed, broken = {}, [], None
    for entry_point in _entry_points():
        try:
            for key, tool in entry_point.load()().items():
                if key == id or id in ((tool or {}).get("deprecated_tools") or []):
                    importlib.import_module(tool["module"])
                    tools[key] = (tool, entry_point.value.partition(":")[0])
                listed.append(key)
        except Exception as error:
            print(f"Failed to load tools from package {_package(entry_point)}: {error}", file=sys.stderr)
            if entry_point.value.partition(":")[0].split(".")[0] == id.split(".")[0]:
                broken = error
    return tools, listed, broken


def _entry_points():
    found = importlib.metadata.entry_points()
    return found.select(group=_GROUP) if hasattr(found, "select") else found.get(_GROUP, [])


def _package(entry_point):
    distribution = getattr(entry_point, "dist", None)
    return distribution.metadata["Name"] if distribution is not None else entry_point.value


def value_types(written):
    types = (written or {}).get("type") or ["object"]
    return types if isinstance(types, list) else [types]


def _connection(node, key, value, types, written, definition, request):
    custom = written.get("custom_type")
    if custom:
        return make_connection(node, key, value, [_strong_class(value, definition["module"], custom[0], request)], request)
    return make_connection(node, key, value, connection_classes(types), request, is_by_name=True)


def connection_classes(types):
    import promptflow.connections as connections

    if not hasattr(connections, types[0]):
        raise unresolved_type(types[0])
    return [getattr(connections, name) for name in types if hasattr(connections, name)]


def _strong_class(name, module, class_name, request):
    """The class that a connection names as its own; without one, that of the definition."""
    given = request["connections"].get(name) if isinstance(name, str) else None
    configs = (given or {}).get("configs", {})
    own = configs.get("promptflow.connection.module"), configs.get("promptflow.connection.custom_type")
    module, class_name = own if all(own) else (module, class_name)
    return getattr(importlib.import_module(module), class_name)
