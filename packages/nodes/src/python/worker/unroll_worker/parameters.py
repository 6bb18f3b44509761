"""What a function takes, in Prompt flow's value types."""

import enum
import inspect
import typing

_PLAIN_TYPES = {int: "int", float: "double", bool: "bool", str: "string", list: "list", dict: "object"}
_NAMED_TYPES = {
    "Secret": "secret",
    "PromptTemplate": "prompt_template",
    "FilePath": "file_path",
    "Image": "image",
    "AssistantDefinition": "assistant_definition",
}


def read_parameters(function, module):
    """A list of {name, required, types, classes}, and whether other keyword arguments are taken."""
    takes_any = False
    parameters = []
    annotations = _annotations(function, module)
    for position, parameter in enumerate(_signature(function)):
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            takes_any = True
        elif parameter.kind is not inspect.Parameter.VAR_POSITIONAL and not (
            position == 0 and parameter.name == "self"
        ):
            annotation = annotations.get(parameter.name, parameter.annotation)
            classes = _classes(annotation)
            parameters.append(
                {
                    "name": parameter.name,
                    "required": parameter.default is inspect.Parameter.empty,
                    # Prompt flow does not read annotations that are texts.
                    "types": ["object"]
                    if isinstance(parameter.annotation, str) and annotation in _PLAIN_TYPES
                    else _types(annotation, classes, parameter.default),
                    "classes": classes,
                }
            )
    return parameters, takes_any


def _signature(function):
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def _annotations(function, module):
    """Annotations as objects; texts (`from __future__ import annotations`) are read in the module."""
    found = dict(getattr(inspect.unwrap(function), "__annotations__", {}))
    for name, annotation in found.items():
        if isinstance(annotation, str):
            try:
                found[name] = eval(annotation, module.__dict__)
            except Exception:
                found[name] = typing.Any
    return found


def _classes(annotation):
    if typing.get_origin(annotation) is typing.Union or type(annotation).__name__ == "UnionType":
        return [member for member in typing.get_args(annotation) if isinstance(member, type)]
    return [annotation] if isinstance(annotation, type) and annotation is not inspect.Parameter.empty else []


def _types(annotation, classes, default):
    if annotation is inspect.Parameter.empty:
        has_default = default is not inspect.Parameter.empty and default is not None
        return [_PLAIN_TYPES.get(type(default), "object") if has_default else "object"]
    if typing.get_origin(annotation) is typing.Union:
        members = [member for member in typing.get_args(annotation) if member is not type(None)]
        annotation = members[0] if len(members) == 1 else annotation
        classes = [annotation] if isinstance(annotation, type) else classes
    if len(classes) == 1 and classes[0] is annotation:
        return [_type_of_class(annotation)]
    return ["object"]


def _type_of_class(annotation):
    if annotation in _PLAIN_TYPES:
        return _PLAIN_TYPES[annotation]
    if annotation.__name__ in _NAMED_TYPES:
        return _NAMED_TYPES[annotation.__name__]
    if issubclass(annotation, enum.Enum):
        return "string"
    return "object"
