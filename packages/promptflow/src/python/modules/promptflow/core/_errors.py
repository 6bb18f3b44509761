from promptflow.exceptions import UserErrorException


class CoreError(UserErrorException):
    pass


class InvalidConnectionError(CoreError):
    pass


class MissingRequiredInputError(CoreError):
    pass


class InvalidOutputKeyError(CoreError):
    pass


class RequiredEnvironmentVariablesNotSetError(CoreError):
    pass
