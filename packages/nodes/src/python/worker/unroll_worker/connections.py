"""Connections for parameters that ask for one by their class."""

from .failure import LoadFailure

_CLASS_OF_TYPE = {
    "azure_open_ai": "AzureOpenAIConnection",
    "open_ai": "OpenAIConnection",
    "serverless": "ServerlessConnection",
    "serp": "SerpConnection",
    "qdrant": "QdrantConnection",
    "weaviate": "WeaviateConnection",
    "cognitive_search": "CognitiveSearchConnection",
    "azure_ai_services": "AzureAIServicesConnection",
    "azure_content_safety": "AzureContentSafetyConnection",
    "form_recognizer": "FormRecognizerConnection",
    "custom": "CustomConnection",
}
_KNOWN_CLASSES = frozenset(_CLASS_OF_TYPE.values()) | {"AzureContentSafetyConnection", "CustomStrongTypeConnection"}


def is_connection_class(candidate):
    return any(base.__name__ in _KNOWN_CLASSES for base in candidate.__mro__)


def is_connection(value):
    """Records show it by its name."""
    return is_connection_class(type(value)) and isinstance(getattr(value, "name", None), str)


def make_connection(node, key, name, classes, request, is_by_name=False):
    wanted, class_name = fitting_class(node, key, name, classes, request, is_by_name)
    return _fill(wanted, name, request["connections"][name], class_name)


def fitting_class(node, key, name, classes, request, is_by_name=False):
    """The class that a connection becomes, and that of its type.

    With `is_by_name` only one that has the name of the connection's type, none derived from CustomStrongTypeConnection.
    """
    given = request["connections"].get(name) if isinstance(name, str) else None
    if given is None:
        raise LoadFailure(
            f"Get connection '{name}' for node '{node}' error: Connection {name!r} not found in dict connection "
            f"provider. Available keys are {list(request['connectionNames'])}.",
            "GetConnectionError",
        )
    class_name = _CLASS_OF_TYPE.get(given["type"], given["type"])
    for wanted in classes:
        if wanted.__name__ == class_name:
            return wanted, class_name
        if class_name == "CustomConnection" and not is_by_name and _is_strong_type(wanted):
            return wanted, class_name
    if not is_by_name and _is_strong_type(classes[0]):
        raise AttributeError(f"'{class_name}' object has no attribute '_convert_to_custom_strong_type'")
    raise LoadFailure(
        f"Input '{key}' for node '{node}' of type '{class_name}' is not supported, "
        f"valid types {[wanted.__name__ for wanted in classes]}.",
        "NodeInputValidationError",
    )


def _is_strong_type(candidate):
    return any(base.__name__ == "CustomStrongTypeConnection" for base in candidate.__mro__)


def _fill(wanted, name, given, class_name):
    configs, secrets = given["configs"], given["secrets"]
    if class_name == "CustomConnection":
        connection = wanted(secrets=secrets, configs=configs)
    else:
        connection = wanted(**{**configs, **secrets})
    connection.name = name
    return connection
