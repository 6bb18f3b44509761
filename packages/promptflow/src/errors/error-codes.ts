/**
 * Prompt flow's chain of error codes, from `UserError` or `SystemError` down to the class, for an error class that a
 * flow can cause. A class that is not known is one of Python's own.
 *
 * @param message of the error: two classes go by the same name, and one names another within
 */
export function promptFlowCodes(className: string, message = ''): readonly string[] {
  // Raised without a class of their own that the codes name.
  if (className === 'UserErrorException') return ['UserError'];
  if (className === 'ValidationException') return ['UserError', 'ValidationError'];
  if (className === 'WrappedOpenAIError') return ['UserError', 'OpenAIError', openAiClass(message) ?? className];
  if (className === 'InvalidConnectionType' && /is not supported for LLM/.test(message))
    return ['UserError', 'ValidationError', 'InvalidFlowRequest', className];
  if (className === 'ResolveToolError') return codesWithin(message);
  const chain = Object.entries(classesByChain).find(([, classes]) => classes.includes(className));
  return chain === undefined ? ['SystemError', className] : [...chain[0].split('/'), className];
}

/** A tool that cannot be loaded has the codes of what kept it from being. */
function codesWithin(message: string): readonly string[] {
  const [, className, said] =
    /^Tool load failed in '.*?': (?:Jinja parsing failed at line \d+: )?\((\w+)\) (.*)$/s.exec(message) ?? [];
  return className === undefined ? ['SystemError', 'ResolveToolError'] : promptFlowCodes(className, said);
}

/** The class of the client of OpenAI that an error of the service is told with. */
function openAiClass(message: string): string | undefined {
  return /OpenAI API hits (\w+)/.exec(message)?.[1];
}

const classesByChain: Readonly<Record<string, readonly string[]>> = {
  'UserError/ValidationError/InvalidFlowRequest': [
    'InputNotFound',
    'InputTypeError',
    'InputParseError',
    'InputReferenceNotFound',
    'OutputReferenceNotFound',
    'EmptyOutputReference',
    'DuplicateNodeName',
    'NodeCircularDependency',
    'NodeReferenceNotFound',
    'InvalidNodeReference',
    'NodeInputValidationError',
  ],
  'UserError/ValidationError/InvalidRequest': ['GetConnectionError', 'ConnectionNotFound'],
  'UserError/ValidationError': [
    'APINotFound',
    'ApplyInputMappingError',
    'DuplicateToolMappingError',
    'InputMappingError',
    'InputTypeMismatch',
    'InvalidAssistantTool',
    'InvalidCustomLLMTool',
    'InvalidFlexFlowEntry',
    'InvalidImageInput',
    'InvalidSource',
    'MissingRequiredInputs',
    'PackageToolNotFoundError',
    'ValueTypeUnresolved',
  ],
  'UserError/ToolValidationError/PythonParsingError': ['PythonLoadError', 'NoToolDefined', 'MultipleToolsDefined'],
  'UserError/ToolValidationError': [
    'ChatAPIFunctionRoleInvalidFormat',
    'ChatAPIInvalidFunctions',
    'ChatAPIInvalidRole',
    'ChatAPIInvalidTools',
    'ChatAPIToolRoleInvalidFormat',
    'FunctionCallNotSupportedInStreamMode',
    'InvalidConnectionType',
    'JinjaTemplateError',
    'OpenModelLLMKeyValidationError',
  ],
  'UserError/NodeReferenceError': ['InvalidReferenceProperty', 'UnsupportedReference'],
  'UserError/OpenAIError': [
    'APIConnectionError',
    'APIError',
    'APIResponseValidationError',
    'APIStatusError',
    'APITimeoutError',
    'AuthenticationError',
    'BadRequestError',
    'ConflictError',
    'InternalServerError',
    'NotFoundError',
    'PermissionDeniedError',
    'RateLimitError',
    'UnprocessableEntityError',
  ],
  'UserError/CoreError': ['InvalidConnectionError'],
  'UserError/SDKError': ['InvalidFlowError', 'ConnectionNotFoundError'],
  UserError: [
    'AzureContentSafetyInputValueError',
    'BatchExecutionTimeoutError',
    'EmptyInputsData',
    'FailedToImportModule',
    'FlowDefinitionError',
    'FlowEntryInitializationError',
    'FlowOutputUnserializable',
    'InvalidMessageFormatType',
    'InvalidOutputKeyError',
    'InvalidUserData',
    'LLMError',
    'LineExecutionTimeoutError',
    'LoadMultimediaDataError',
    'OpenModelLLMOnlineEndpointError',
    'OpenModelLLMUserError',
    'ScriptExecutionError',
    'SerpAPIUserError',
    'SingleNodeValidationError',
    'ToolExecutionError',
    'ToolLoadError',
    'UnknownConnectionType',
  ],
};
