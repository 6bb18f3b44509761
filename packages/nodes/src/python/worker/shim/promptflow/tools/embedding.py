"""Embeddings, for code that calls them itself."""

from ._model import ask


def embedding(connection, input, deployment_name="", model="text-embedding-ada-002"):
    kind = type(connection).__name__
    model = getattr(model, "value", model)
    body = {"model": deployment_name if kind == "AzureOpenAIConnection" else model, "encoding_format": "float"}
    body["input"] = [input] if kind == "ServerlessConnection" else input
    return ask(connection, "embeddings", body)["data"][0]["embedding"]
