/**
 * Prompt flow's chain of error codes, from `UserError` or `SystemError` down to the class, for an error class that a
 * flow's text can cause. A class that is not known is one of Python's own.
 */
export function promptFlowCodes(className: string): readonly string[] {
  const chain = Object.entries(classesByChain).find(([, classes]) => classes.includes(className));
  // Raised without a class of their own that the codes name.
  if (className === 'UserErrorException') return ['UserError'];
  if (chain === undefined) return ['SystemError', className];
  return [...chain[0].split('/'), className];
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
    'InvalidFlexFlowEntry',
    'InvalidSource',
    'PackageToolNotFoundError',
    'InputTypeMismatch',
    'MissingRequiredInputs',
  ],
  'UserError/ToolValidationError/PythonParsingError': ['PythonLoadError', 'NoToolDefined', 'MultipleToolsDefined'],
  'UserError/CoreError': ['InvalidConnectionError'],
  'UserError/SDKError': ['InvalidFlowError', 'ConnectionNotFoundError'],
  UserError: ['SingleNodeValidationError', 'FlowDefinitionError', 'FailedToImportModule', 'InvalidMessageFormatType'],
};
