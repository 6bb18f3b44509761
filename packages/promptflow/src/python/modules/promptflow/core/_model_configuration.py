"""Which model, and where it is: by its own settings or by the connection it names."""

from dataclasses import dataclass
from typing import Optional

from promptflow.core._errors import InvalidConnectionError


@dataclass
class AzureOpenAIModelConfiguration:
    azure_deployment: str
    azure_endpoint: Optional[str] = None
    api_version: Optional[str] = None
    api_key: Optional[str] = None
    connection: Optional[str] = None

    def __post_init__(self):
        self._type = "AzureOpenAI"
        _refuse_both(self.connection, self.azure_endpoint, self.api_key, self.api_version)

    @classmethod
    def from_connection(cls, connection, azure_deployment):
        return cls(
            azure_deployment=azure_deployment,
            azure_endpoint=connection.api_base,
            api_version=connection.api_version,
            api_key=connection.api_key,
        )


@dataclass
class OpenAIModelConfiguration:
    model: str
    base_url: Optional[str] = None
    api_key: Optional[str] = None
    organization: Optional[str] = None
    connection: Optional[str] = None

    def __post_init__(self):
        self._type = "OpenAI"
        _refuse_both(self.connection, self.base_url, self.api_key, self.organization)

    @classmethod
    def from_connection(cls, connection, model):
        return cls(
            model=model,
            base_url=connection.base_url,
            api_key=connection.api_key,
            organization=connection.organization,
        )


def _refuse_both(connection, *settings):
    if connection and any(settings):
        raise InvalidConnectionError("Cannot configure model config and connection at the same time.")
