"""Assistant definitions: the YAML file a literal names, with the functions it offers ready to be called."""

import enum
import functools
import inspect
import os

from .failure import LoadFailure

_JSON_TYPES = {"int": "number", "double": "number", "bool": "boolean", "string": "string", "list": "array"}
_WITHOUT_FUNCTION = ("code_interpreter", "retrieval")
_MAKE_SURE = "Please make sure the assistant definition is correct."
_INVALID_TOOL = "InvalidAssistantTool"


def load_assistant(node, name, path, request):
    """The definition in the file, which the engine has read."""
    try:
        if not isinstance(path, str):
            raise TypeError(f"unsupported operand type(s) for /: 'PosixPath' and '{_kind(path)}'")
        definition = request.get("definitions", {}).get(path)
        if definition is None:
            raise LoadFailure(
                f"Input '{name}' for node '{node}' of value '{path}' is not a valid path.",
                "InvalidSource",
            )
        return _make(node, definition, request)
    except Exception as error:
        kind = error.code if isinstance(error, LoadFailure) else type(error).__name__
        raise LoadFailure(
            f"Failed to load assistant definition from input '{name}': ({kind}) {error}",
            "NodeInputValidationError",
        ) from error


def _kind(literal):
    """What ruamel.yaml calls it."""
    return {dict: "CommentedMap", list: "CommentedSeq"}.get(type(literal), type(literal).__name__)


def _make(node, definition, request):
    from promptflow.contracts.types import AssistantDefinition
    from promptflow.executor._assistant_tool_invoker import AssistantToolInvoker, ResolvedAssistantTool

    assistant = AssistantDefinition(
        model=definition.get("model", ""),
        instructions=definition.get("instructions", ""),
        tools=definition.get("tools", []),
    )
    resolved = {}
    for tool in assistant.tools:
        kind = tool.get("type")
        if kind in _WITHOUT_FUNCTION:
            resolved[kind] = ResolvedAssistantTool(name=kind, openai_definition=tool, func=None)
        elif kind == "function":
            function = _function(node, tool, request)
            resolved[function.__name__] = ResolvedAssistantTool(
                name=function.__name__, openai_definition=_told(function), func=function
            )
        else:
            # Prompt flow's own text: it fills in neither the node nor the type, which the cause tells.
            raise LoadFailure(
                "Unsupported assistant tool's type in node <node_name> : <class 'type'>. Please make sure the type is "
                "restricted within ['code_interpreter', 'function', 'retrieval'].",
                _INVALID_TOOL,
            ) from ValueError(f"a tool of node '{node}' has the type {kind!r}")
    assistant._tool_invoker = AssistantToolInvoker(resolved)
    return assistant


def _function(node, tool, request):
    """The tool's function, its predefined inputs bound."""
    source = _source(node, tool)
    given = {**request, "literals": dict(tool.get("predefined_inputs") or {}), "references": {}}
    try:
        loaded = _load(node, source, given)
    except LoadFailure as failure:
        kind = failure.code
        raise LoadFailure(f"Tool load failed in '{node}': ({kind}) {failure}", "ResolveToolError") from failure
    bound = {**loaded.literals, **loaded.fixed}
    function = functools.partial(loaded.function, **bound)
    functools.update_wrapper(function, loaded.function)
    function.bound = bound
    function.types = {parameter["name"]: parameter["type"] for parameter in loaded.describe()["parameters"]}
    return function


def _load(node, source, given):
    if source["type"] == "package":
        from .package_tools import PackageNode

        return PackageNode({**given, "package": source["tool"]})
    from .loaded_node import LoadedNode

    path = source["path"]
    if not os.path.isfile(path):
        raise LoadFailure(
            f"Load tool failed for node '{node}'. Tool file '{path}' can not be found.",
            "InvalidSource",
        )
    return LoadedNode({**given, "path": os.path.abspath(path)})


def _source(node, tool):
    if tool.get("tool_type") not in ("python", "llm", "prompt", "custom_llm", "csharp", "_action"):
        raise _invalid(f"The 'tool_type' property is missing or invalid in assistant node '{node}'.")
    if tool["tool_type"] != "python":
        raise _invalid(f"Tool type '{tool['tool_type']}' is not supported in assistant node '{node}'.")
    if "source" not in tool:
        raise _invalid(f"The 'source' property is missing in the assistant node '{node}'.")
    source = {"type": "code", **tool["source"]}
    if source["type"] == "package" and not source.get("tool"):
        raise _invalid(
            f"The 'tool' property is missing in 'source' of the assistant package tool in node '{node}'."
        )
    if source["type"] == "code" and not source.get("path"):
        raise _invalid(f"The 'path' property is missing in 'source' of the assistant python tool in node '{node}'.")
    if source["type"] not in ("package", "code"):
        raise _invalid(f"Tool source type '{source['type']}' is not supported in assistant node '{node}'.")
    return source


def _invalid(message):
    return LoadFailure(f"{message} {_MAKE_SURE}", _INVALID_TOOL)


def _told(function):
    """The function as OpenAI is told of it: what is bound is left out."""
    description, texts = _read_docstring(function.__doc__)
    properties, required = {}, []
    for name, parameter in inspect.signature(inspect.unwrap(function.func)).parameters.items():
        if name in function.bound or name == "self" or parameter.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
        kind = _JSON_TYPES.get(function.types.get(name, "object"), "object")
        properties[name] = {"type": kind, "description": texts.get(name, "")}
        choices = _choices(parameter.annotation)
        if choices:
            properties[name]["enum"] = choices
    parameters = {"type": "object", "properties": properties, "required": required}
    return {
        "type": "function",
        "function": {"name": function.__name__, "description": description, "parameters": parameters},
    }


def _choices(annotation):
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return [member.value for member in annotation]
    return None


def _read_docstring(text):
    """Its description, and what `:param name:` or the lines of `Args:` say of each parameter."""
    lines = inspect.cleandoc(text or "").split("\n")
    description, texts, name, section = [], {}, None, "description"
    for line in lines:
        bare = line.strip()
        if bare.startswith(":"):
            section = "fields"
            head, _, rest = bare[1:].partition(":")
            words = head.split()
            name = words[-1] if words[:1] == ["param"] and len(words) > 1 else None
            if name is not None:
                texts[name] = rest.strip()
        elif bare in ("Args:", "Arguments:", "Parameters:"):
            section, name = "arguments", None
        elif bare in ("Returns:", "Return:", "Raises:", "Yields:", "Example:", "Examples:"):
            section, name = "other", None
        elif section == "description":
            description.append(line)
        elif section == "arguments" and bare:
            head, colon, rest = bare.partition(":")
            if colon and head.split("(")[0].strip().isidentifier():
                name = head.split("(")[0].strip()
                texts[name] = rest.strip()
            elif name is not None:
                texts[name] += f"\n{bare}"
        elif section == "fields" and bare and name is not None:
            texts[name] += f"\n{bare}"
    return _description(description, len(description) < len(lines)), texts


def _description(lines, is_followed):
    """The first line, an empty one where one follows it, and the rest (docstring_parser's)."""
    first, _, rest = ("\n".join(lines) + ("\n" if is_followed else "")).partition("\n")
    told = [first, ""] if rest.startswith("\n") else [first]
    return "\n".join([*told, rest.strip()] if rest.strip() else told)
