"""Embeddings, for code that calls them itself."""

import array
import base64

from ._model import ask


def embedding(connection, input, deployment_name="", model="text-embedding-ada-002"):
    kind = type(connection).__name__
    model = getattr(model, "value", model)
    body = {"model": deployment_name if kind == "AzureOpenAIConnection" else model}
    body["encoding_format"] = "float" if kind == "ServerlessConnection" else "base64"
    body["input"] = [input] if kind == "ServerlessConnection" else input
    return _numbers(ask(connection, "embeddings", body)["data"][0]["embedding"])


def _numbers(vector):
    """Of a text, base64 of numbers of 32 bits each, as the service was asked to answer."""
    return array.array("f", base64.b64decode(vector)).tolist() if isinstance(vector, str) else vector
