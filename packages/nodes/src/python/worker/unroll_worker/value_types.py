"""Literal inputs become values of the parameter's type, by Python's own conversions."""

import json

from .failure import LoadFailure
from .images import load_image, load_nested_images

_VALUE_TYPES = frozenset(
    ["int", "double", "bool", "string", "secret", "prompt_template", "list", "object", "file_path", "image"]
)


def unresolved_type(value_type):
    """A type of a package's definition that is none of values, and no class of connections."""
    return LoadFailure(
        f"Unresolved input type {value_type!r}, please check if it is supported in current version.",
        "ValueTypeUnresolved",
    )


def is_file(value_type):
    return value_type in ("image", "assistant_definition")


def convert_literal(node, name, value, value_type, request):
    """The value, and whether it is an object that JSON cannot carry."""
    message_format = request.get("messageFormat", "basic")
    if value_type == "assistant_definition":
        from .assistants import load_assistant

        return load_assistant(node, name, value, request), True
    if value_type == "image":
        return load_image(node, name, value, message_format), True
    parsed = parse_literal(node, name, value, value_type)
    try:
        loaded = load_nested_images(node, name, parsed, message_format)
    except LoadFailure:
        raise
    except Exception as error:
        raise _unfit(node, name, value, value_type) from error
    return loaded, loaded is not parsed


def parse_literal(node, name, value, value_type):
    """A literal of a type that is no file's, without the images in it."""
    if value_type not in _VALUE_TYPES:
        raise unresolved_type(value_type)
    try:
        return _parse(value, value_type)
    except Exception as error:
        raise _unfit(node, name, value, value_type) from error


def _unfit(node, name, value, value_type):
    return LoadFailure(
        f"Input '{name}' for node '{node}' of value '{value}' is not type {value_type}.", "NodeInputValidationError"
    )


def _parse(value, value_type):
    if value_type == "int":
        return int(value)
    if value_type == "double":
        return float(value)
    if value_type == "bool":
        return _parse_bool(value)
    if value_type == "string":
        return str(value)
    if value_type == "list":
        return _parse_list(value)
    if value_type == "object" and isinstance(value, str):
        return _parse_object(value)
    return value


def _parse_bool(value):
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    raise ValueError("not a bool")


def _parse_list(value):
    if isinstance(value, str):
        value = json.loads(value)
    if not isinstance(value, list):
        raise ValueError("not a list")
    return value


def _parse_object(value):
    try:
        return json.loads(value)
    except ValueError:
        return value
