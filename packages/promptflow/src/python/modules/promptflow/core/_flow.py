"""Where promptflow has its prompties, for code that takes them from there."""

from promptflow.core._prompty import AsyncPrompty, Prompty  # noqa: F401
