from promptflow._connections import *  # noqa: F403
from promptflow._stand_in import ToolProvider, log_metric, tool
from promptflow.core._model_configuration import AzureOpenAIModelConfiguration, OpenAIModelConfiguration
from promptflow.core._prompty import AsyncPrompty, Prompty
