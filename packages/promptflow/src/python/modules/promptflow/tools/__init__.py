"""A small stand-in for promptflow-tools: what code of flows imports of it."""

from .aoai import AzureOpenAI  # noqa: F401
from .openai import OpenAI  # noqa: F401
