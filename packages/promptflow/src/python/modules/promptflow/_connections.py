"""Connections as tools see them: settings as attributes, secrets among them."""

import os


class _Connection:
    defaults = {}
    secret_names = ("api_key",)
    type = None
    module = "promptflow.connections"

    def __init__(self, **values):
        self.name = None
        self.TYPE = type(self).type
        self.class_name = type(self).__name__
        self.created_date = self.last_modified_date = self.expiry_time = None
        self._values = {**self.defaults, **values}

    def __getattr__(self, key):
        values = self.__dict__.get("_values", {})
        if key in values:
            return values[key]
        if key in ("configs", "secrets"):
            are_secrets = key == "secrets"
            return {name: value for name, value in values.items() if (name in type(self).secret_names) is are_secrets}
        if key in type(self).secret_names:
            return None
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{key}'")

    def __getitem__(self, key):
        if key not in self._values:
            raise KeyError(f"Key {key!r} not found in connection {self.name!r}.")
        return self._values[key]

    def __contains__(self, key):
        return key in self._values

    def keys(self):
        return list(self._values)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name}>"


class AzureOpenAIConnection(_Connection):
    type = "AzureOpenAI"
    defaults = {"api_base": None, "api_type": "azure", "api_version": "2024-02-01", "auth_mode": "key", "resource_id": None}

    @classmethod
    def from_env(cls, name=None):
        endpoint, key = _required(cls, "AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_API_KEY")
        version = os.environ.get("OPENAI_API_VERSION")
        return _named(cls(api_base=endpoint, api_key=key, **({"api_version": version} if version else {})), name)


class OpenAIConnection(_Connection):
    type = "OpenAI"
    defaults = {"organization": None, "base_url": None}

    @classmethod
    def from_env(cls, name=None):
        (key,) = _required(cls, "OPENAI_API_KEY")
        organization, base_url = os.environ.get("OPENAI_ORG_ID"), os.environ.get("OPENAI_BASE_URL")
        return _named(cls(api_key=key, organization=organization, base_url=base_url), name)


def _required(cls, *names):
    from promptflow.core._errors import RequiredEnvironmentVariablesNotSetError

    values = [os.environ.get(name) for name in names]
    if None in values:
        raise RequiredEnvironmentVariablesNotSetError(
            f"Required environment variables {list(names)} to build {cls.__name__} not set."
        )
    return values


def _named(connection, name):
    connection.name = name
    return connection


class ServerlessConnection(_Connection):
    type = "Serverless"
    defaults = {"api_base": None}


class SerpConnection(_Connection):
    type = "Serp"


class QdrantConnection(_Connection):
    type = "Qdrant"
    defaults = {"api_base": None}


class WeaviateConnection(_Connection):
    type = "Weaviate"
    defaults = {"api_base": None}


class CognitiveSearchConnection(_Connection):
    type = "CognitiveSearch"
    defaults = {"api_base": None, "api_version": "2023-11-01", "auth_mode": "key"}


class AzureAIServicesConnection(_Connection):
    type = "AzureAIServices"
    defaults = {"endpoint": None, "auth_mode": "key"}


class AzureContentSafetyConnection(_Connection):
    type = "AzureContentSafety"
    defaults = {"endpoint": None, "api_version": "2023-10-01", "api_type": "Content Safety"}


class FormRecognizerConnection(_Connection):
    type = "FormRecognizer"
    defaults = {"endpoint": None, "api_version": "2023-07-31", "api_type": "Form Recognizer"}


class _SettingsConnection(_Connection):
    secret_names = ()

    def __init__(self, secrets=None, configs=None, **values):
        self.configs = dict(configs or {})
        self.secrets = dict(secrets or {})
        super().__init__(**{**self.configs, **self.secrets, **values})


class CustomConnection(_SettingsConnection):
    type = "Custom"

    def is_secret(self, key):
        return key in self.secrets


class CustomStrongTypeConnection(_SettingsConnection):
    """Settings stand as attributes of their own, before the defaults that the class writes."""

    def __init__(self, secrets=None, configs=None, **values):
        super().__init__(secrets, configs, **values)
        for key, value in self._values.items():
            setattr(self, key, value)
