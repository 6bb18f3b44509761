"""Loads a node's file and finds the one function it is."""

import inspect
import os
import sys
import types

from . import prompties
from .dates import as_recorded, with_dates
from .connections import is_connection_class, make_connection
from .failure import LoadFailure
from .modules import import_modules
from .parameters import read_parameters
from .value_types import convert_literal

MODULE_NAME = "__pf_main__"
_ONE_TOOL = "Please make sure you have one and only one tool definition in your script."


def load_node(request):
    """The function of a file, or of a package that is installed, as a request names it."""
    if request.get("prompties"):
        prompties.register(request)
    import_modules(request.get("modules"))
    if "package" not in request:
        return LoadedNode(request)
    from .package_tools import PackageNode

    return PackageNode(request)


class LoadedNode:
    """A function ready to be called, with the arguments that are the same for every row."""

    def __init__(self, request):
        self.name = request["node"]
        self.module = _execute(request["path"])
        named = request.get("function")
        if named is None:
            tool, provider = _find_tool(self.module, request.get("onlyMarked", False))
        else:
            tool, provider = _find_function(self.module, named), None
        self.parameters, self.takes_any_input = read_parameters(tool, self.module)
        constructor = read_parameters(provider.__init__, self.module)[0] if provider else []
        literals = {key: value for key, value in request["literals"].items() if value is not None and value != ""}
        self.literals, self.fixed = self._convert(literals, self.parameters + constructor, request)
        self._constructor_names = frozenset(parameter["name"] for parameter in constructor)
        self.function = tool if provider is None else self._instance_method(provider, tool, constructor, request)
        self.is_async = inspect.iscoroutinefunction(self.function) or inspect.isasyncgenfunction(self.function)
        self._is_plain = not self.fixed and not self._constructor_names

    def arguments(self, inputs):
        if self._is_plain:
            return inputs
        arguments = {name: value for name, value in inputs.items() if name not in self._constructor_names}
        for name, value in self.fixed.items():
            if name in arguments:
                arguments[name] = value
        return arguments

    def describe(self):
        shown = self.parameters
        return {
            "parameters": [
                {"name": parameter["name"], "required": parameter["required"], "type": parameter["types"][0]}
                for parameter in shown
            ],
            "takesAnyInput": self.takes_any_input,
            "literals": self.literals,
        }

    def _convert(self, literals, parameters, request):
        """Literals as they are recorded, and the objects that stand for them in the call."""
        by_name = {parameter["name"]: parameter for parameter in parameters}
        shown, fixed = {}, {}
        for key, written in literals.items():
            value, has_dates = with_dates(written)
            parameter = by_name.get(key)
            if parameter is None:
                shown[key] = as_recorded(value) if has_dates else value
                if has_dates:
                    fixed[key] = value
                continue
            classes = [type for type in parameter["classes"] if is_connection_class(type)]
            if classes:
                shown[key] = value
                fixed[key] = make_connection(self.name, key, value, classes, request)
                continue
            converted, is_object = convert_literal(self.name, key, value, parameter["types"][0], request)
            is_object = is_object or (has_dates and not isinstance(converted, str))
            shown[key] = (as_recorded(value) if has_dates else value) if is_object else converted
            if is_object:
                fixed[key] = converted
        return shown, fixed

    def _instance_method(self, provider, tool, constructor, request):
        arguments = {}
        for parameter in constructor:
            name = parameter["name"]
            if name in request["references"]:
                raise LoadFailure(
                    f"Invalid input for '{tool.__qualname__}': Initialization input '{name}' requires a literal value, "
                    f"but {request['references'][name]} was received.",
                    "InputTypeMismatch",
                )
            if name in self.literals:
                arguments[name] = self.fixed.get(name, self.literals[name])
            elif parameter["required"]:
                raise LoadFailure(
                    f"Required inputs ['{name}'] are not provided for tool '{tool.__qualname__}'.",
                    "MissingRequiredInputs",
                )
        try:
            return getattr(provider(**arguments), tool.__name__)
        except Exception as error:
            raise LoadFailure(
                f"Failed to load package tool '{tool.__qualname__}': ({type(error).__name__}) {error}",
                "ToolLoadError",
            ) from error


def _execute(path):
    module = types.ModuleType(MODULE_NAME)
    module.__file__ = os.path.abspath(path)
    # Dataclasses and the like look their module up while the file runs; afterwards the name is free for the next node.
    sys.modules[MODULE_NAME] = module
    try:
        with open(path, "rb") as file:
            exec(compile(file.read(), module.__file__, "exec"), module.__dict__)
    except BaseException as error:
        raise LoadFailure(
            f"Failed to load python module from file '{module.__file__}': ({type(error).__name__}) {error}",
            "PythonLoadError",
        ) from error
    finally:
        sys.modules.pop(MODULE_NAME, None)
    return module


def _find_function(module, name):
    """A function of a file with several of them, called as it is."""
    function = module.__dict__.get(name)
    if isinstance(function, types.FunctionType):
        return function
    raise _no_single_tool(f"There is no function '{name}' in the python script.", "NoToolDefined")


def _find_tool(module, only_marked):
    """The function, and the class whose instance it needs. In a flow of ours an undecorated lone function will do."""
    # One function may have two names, as in `node = tool(search)`.
    functions = dict.fromkeys(
        value
        for _, value in sorted(module.__dict__.items())
        if isinstance(value, types.FunctionType) and value.__module__ == MODULE_NAME
    )
    tools = [(function, None) for function in functions if _is_tool(function)]
    tools += [(method, owner) for owner in _providers(module) for method in _tool_methods(owner)]
    if not tools:
        lone = [] if only_marked else functions
        tools = [(function, None) for function in lone if not function.__name__.startswith("_")]
        if len(tools) != 1:
            raise _no_single_tool(f"No tool found in the python script. {_ONE_TOOL}", "NoToolDefined")
    if len(tools) > 1:
        names = ", ".join(tool.__name__ for tool, _ in tools)
        message = f"Expected 1 but collected {len(tools)} tools: {names}. {_ONE_TOOL}"
        raise _no_single_tool(message, "MultipleToolsDefined")
    return tools[0]


def _no_single_tool(message, code):
    return LoadFailure(message, code)


def _is_tool(value):
    return isinstance(value, types.FunctionType) and hasattr(value, "__tool")


def _providers(module):
    return [
        value
        for _, value in sorted(module.__dict__.items())
        if isinstance(value, type)
        and value.__module__ == MODULE_NAME
        and any(base.__name__ == "ToolProvider" for base in value.__mro__[1:])
    ]


def _tool_methods(owner):
    return [method for _, method in inspect.getmembers(owner) if _is_tool(method)]
