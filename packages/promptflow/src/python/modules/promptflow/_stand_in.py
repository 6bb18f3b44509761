"""A small stand-in for the parts of promptflow that tools import, used when promptflow itself is not installed."""

import enum
import functools
import sys
import types


def tool(function=None, *, name=None, description=None, type=None, input_settings=None,
         streaming_option_parameter=None, **extra):
    """Marks the function, or the method of a ToolProvider, that a node runs."""

    def mark(target):
        target = _as_function(target)
        setattr(target, "__tool", None)
        setattr(target, "__name", name)
        setattr(target, "__description", description)
        setattr(target, "__type", type)
        setattr(target, "__input_settings", input_settings)
        setattr(target, "__extra_info", extra)
        if streaming_option_parameter is not None:
            setattr(target, "_streaming_option_parameter", streaming_option_parameter)
        return target

    return mark if function is None else mark(function)


def _as_function(target):
    """What another decorator made of a function, `lru_cache` for one, stands behind a function, as with the real decorator."""
    if not callable(target) or isinstance(target, (types.FunctionType, type, staticmethod, classmethod)):
        return target

    @functools.wraps(target)
    def call(*arguments, **keywords):
        return target(*arguments, **keywords)

    return call


def trace(function=None, **_options):
    """Does nothing but accept what the real decorator accepts."""
    return (lambda target: target) if function is None else function


def start_trace(**_options):
    pass


class TraceType(str, enum.Enum):
    """What a traced function is, for the records of the real decorator."""

    LLM = "LLM"
    FUNCTION = "Function"
    TOOL = "Tool"
    LANGCHAIN = "LangChain"
    FLOW = "Flow"
    RETRIEVAL = "Retrieval"
    EMBEDDING = "Embedding"
    PROMPTY = "Prompty"


def log_metric(key, value, variant_id=None):
    """Records a metric; the engine keeps those of aggregation nodes."""
    metrics = sys.modules.get("unroll_worker.logged_metrics")
    if metrics is not None:
        metrics.log_metric(key, value, variant_id)


class ToolProvider:
    """Base of tools that are made once, from literal inputs, and called for every row."""

    def __init__(self, *_arguments, **_named):
        pass


class Secret(str):
    def set_secret_name(self, name):
        self.secret_name = name


class PromptTemplate(str):
    pass


class FilePath(str):
    pass


class AssistantDefinition:
    def __init__(self, model, instructions, tools):
        self.model = model
        self.instructions = instructions
        self.tools = tools
        self._tool_invoker = None

    @staticmethod
    def deserialize(data):
        return AssistantDefinition(data.get("model", ""), data.get("instructions", ""), data.get("tools", []))

    def serialize(self):
        return {"model": self.model, "instructions": self.instructions, "tools": self.tools}


class _Setting:
    """What an editor shows of a tool's inputs: accepted, and of no effect on a run."""

    def __init__(self, *arguments, **named):
        self.__dict__.update(named)
        self.arguments = arguments


class InputSetting(_Setting):
    pass


class DynamicList(_Setting):
    pass


class GeneratedBy(_Setting):
    pass

