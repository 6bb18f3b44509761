"""What keeps nodes from being made ready with tools of installed packages, as far as it is seen without calling any of them."""

import importlib
import inspect

from .connections import fitting_class
from .dates import with_dates
from .failure import LoadFailure
from .package_tools import connection_classes, constructor_names, find_listed, given_literals, prompt_input, value_types
from .value_types import is_file, parse_literal


def constructor_mistakes(request, seen):
    """Of the tool of a node's own file: what its class is made with is read, and the class is not."""

    def made():
        pass

    made.__signature__ = inspect.Signature(_parameters(seen["arguments"]))
    names = (seen["title"], given_literals(request), request["references"])
    return _failing(request, None, constructor_names, type("Provider", (), {"__init__": made}), *names)


def _parameters(arguments):
    """Those of a definition as it is written; a default stands for any."""
    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    kinds = inspect.Parameter
    for place, one in enumerate(positional):
        kind = kinds.POSITIONAL_ONLY if place < len(arguments.posonlyargs) else kinds.POSITIONAL_OR_KEYWORD
        yield inspect.Parameter(one.arg, kind, default=kinds.empty if place < required else None)
    if arguments.vararg:
        yield inspect.Parameter(arguments.vararg.arg, kinds.VAR_POSITIONAL)
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        yield inspect.Parameter(one.arg, kinds.KEYWORD_ONLY, default=kinds.empty if default is None else None)
    if arguments.kwarg:
        yield inspect.Parameter(arguments.kwarg.arg, kinds.VAR_KEYWORD)


def package_mistakes(nodes):
    return [told for node in nodes for told in _mistakes_of(node)]


def assistant_inputs(nodes):
    """Literals that name the definitions of assistants, whose files the engine reads."""
    told = []
    for node in nodes:
        try:
            inputs = find_listed(node["package"])[0].get("inputs") or {}
        except LoadFailure:
            continue
        assistants = [key for key in given_literals(node) if key in inputs and value_types(inputs[key])[0] == "assistant_definition"]
        told += [{"node": node["node"], "input": key} for key in assistants]
    return told


def _mistakes_of(request):
    try:
        definition, _ = find_listed(request["package"])
    except LoadFailure as failure:
        # A tool that no package lists is told by `unusable_tools`.
        return [] if failure.code == "PackageToolNotFoundError" else [_told(request, failure)]
    mistakes = []
    for key, value in given_literals(request).items():
        written = (definition.get("inputs") or {}).get(key)
        if written is not None and key not in request["unseen"]:
            mistakes += _failing(request, key, _require_value, request, key, with_dates(value)[0], written)
    return mistakes + _failing(request, None, _require_function, request, definition)


def _failing(request, input, require, *given):
    try:
        require(*given)
    except LoadFailure as failure:
        return [_told(request, failure, input)]
    except Exception:
        # Whether a run stops there too is not certain.
        pass
    return []


def _told(request, failure, input=None):
    return {"node": request["node"], "kind": failure.code, "message": str(failure), "input": input}


def _require_value(request, key, value, written):
    types = value_types(written)
    if types[0].endswith("Connection"):
        # The connection may name a class of its own.
        if not written.get("custom_type"):
            fitting_class(request["node"], key, value, connection_classes(types), request, is_by_name=True)
    elif not is_file(types[0]):
        parse_literal(request["node"], key, value, types[0])


def _require_function(request, definition):
    module = importlib.import_module(definition["module"])
    class_name, name = definition.get("class_name"), definition["function"]
    title = definition.get("name", request["package"])
    owner = _member(module, class_name) if class_name else module
    if class_name:
        constructor_names(owner, title, given_literals(request), request["references"])
    # An object may get it when it is made.
    if class_name and not hasattr(owner, name):
        return
    function = _member(owner, name)
    prompt = None
    if request["variables"] is not None:
        prompt = prompt_input(request["node"], title, function, definition.get("inputs") or {}, request)
    _require_arguments(request, title, function, [prompt, "self" if class_name else None])


def _require_arguments(request, title, function, beside):
    given = [*given_literals(request), *request["references"], *beside]
    for one in inspect.signature(function).parameters.values():
        is_named = one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        if is_named and one.default is one.empty and one.name not in given:
            message = f'node "{request["node"]}" does not give "{one.name}", which tool "{title}" requires'
            raise LoadFailure(message, "MissingRequiredInputs")


def _member(owner, name):
    try:
        return getattr(owner, name)
    except AttributeError as error:
        raise LoadFailure(str(error), "AttributeError") from error
