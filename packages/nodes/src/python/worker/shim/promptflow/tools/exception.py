"""Failures of the tools, by the names user code may catch."""


from promptflow.exceptions import UserErrorException


class ToolValidationError(UserErrorException):
    pass


class JinjaTemplateError(ToolValidationError):
    pass


class ChatAPIInvalidRole(ToolValidationError):
    pass


class ChatAPIFunctionRoleInvalidFormat(ToolValidationError):
    pass


class ChatAPIToolRoleInvalidFormat(ToolValidationError):
    pass


class LLMError(ToolValidationError):
    pass


class WrappedOpenAIError(LLMError):
    pass
