"""What is refused in functions and tools before they are offered to a model."""

import json

from .exception import ChatAPIInvalidFunctions, ChatAPIInvalidTools

_FUNCTION = {
    "name": "function_name",
    "parameters": {
        "type": "object",
        "properties": {"parameter_name": {"type": "integer", "description": "parameter_description"}},
    },
    "description": "function_description",
}
_TOOL = {
    "type": "function",
    "function": {
        "name": "get_current_weather",
        "description": "Get the current weather in a given location",
        "parameters": {
            "type": "object",
            "properties": {
                "location": {"type": "string", "description": "The city and state, e.g. San Francisco, CA"},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            },
            "required": ["location"],
        },
    },
}
_API = "https://platform.openai.com/docs/api-reference/chat/create"


def validate_functions(functions):
    if len(functions) == 0:
        _refuse_functions("functions cannot be an empty list.")
    for index, one in enumerate(functions):
        _check(one, index, _refuse_functions)


def validate_tools(tools):
    if len(tools) == 0:
        _refuse_tools("tools cannot be an empty list.")
    for index, tool in enumerate(tools):
        if not isinstance(tool, dict):
            _refuse_tools(f"tool {index} '{tool}' is not a dict.")
        for key in ("type", "function"):
            if key not in tool:
                _refuse_tools(f"tool {index} '{tool}' does not have '{key}' property.")
        _check(tool["function"], index, _refuse_tools)


def read_function_call(given):
    """`auto` where none is given."""
    if given is None:
        return "auto"
    if given in ("auto", "none"):
        return given
    guide = (
        'Here is a valid example: {"name": "function_name"}. See the guide at '
        f"{_API}#chat/create-function_call or view sample 'How to call functions with chat models' in our gallery."
    )
    if not isinstance(given, dict):
        raise ChatAPIInvalidFunctions(f"function_call parameter '{given}' must be a dict, but not {type(given)}. {guide}")
    if "name" not in given:
        raise ChatAPIInvalidFunctions(f'function_call parameter {json.dumps(given)} must contain "name" field. {guide}')
    return given


def read_tool_choice(given):
    """`auto` where none is given."""
    if given is None:
        return "auto"
    if given in ("auto", "none"):
        return given
    problem = _choice_problem(given)
    if problem is None:
        return given
    guide = 'Here is a valid example: {"type": "function", "function": {"name": "my_function"}}. See the guide at'
    raise ChatAPIInvalidTools(f"{problem} {guide} {_API}.")


def _choice_problem(given):
    if not isinstance(given, dict):
        return f"tool_choice parameter '{given}' must be a dict, but not {type(given)}."
    for key in ("type", "function"):
        if key not in given:
            return f'tool_choice parameter {json.dumps(given)} must contain "{key}" field.'
    chosen = given["function"]
    if not isinstance(chosen, dict):
        return f'function parameter "{chosen}" in tool_choice must be a dict, but not {type(chosen)}.'
    if "name" not in chosen:
        return f'function parameter "{json.dumps(chosen)}" in tool_choice must contain "name" field.'
    return None


def _check(one, index, refuse):
    if not isinstance(one, dict):
        refuse(f"function {index} '{one}' is not a dict.")
    for key in ("name", "parameters"):
        if key not in one:
            refuse(f"function {index} '{one}' does not have '{key}' property.")
    problem = _parameters_problem(one["parameters"])
    if problem is not None:
        refuse(f"function {index} '{one['name']}' {problem}")


def _parameters_problem(parameters):
    if not isinstance(parameters, dict):
        return f"parameters '{parameters}' should be described as a JSON Schema object."
    for key in ("type", "properties"):
        if key not in parameters:
            return f"parameters '{parameters}' does not have '{key}' property."
    if parameters["type"] != "object":
        return "parameters 'type' should be 'object'."
    if not isinstance(parameters["properties"], dict):
        return "parameters 'properties' should be described as a JSON Schema object."
    return None


def _refuse_functions(problem):
    raise ChatAPIInvalidFunctions(
        f"{problem} Here is a valid function example: {json.dumps(_FUNCTION)}. See more details at "
        f"{_API}#chat/create-functions or view sample 'How to use functions with chat models' in our gallery."
    )


def _refuse_tools(problem):
    raise ChatAPIInvalidTools(f"{problem} Here is a valid tool example: {json.dumps(_TOOL)}. See more details at {_API}")
