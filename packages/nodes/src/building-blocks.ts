/** What node types of other packages are built from. What starts Python is loaded by itself: `@unroll/nodes/python`. */
export { closingBracket, splitAtCommas } from './code/brackets.ts';
export { inputsTakenApart } from './code/check-first-parameter.ts';
export { acceptedConnections } from './connections/accepted-connections.ts';
export { missingBehind, missingFor } from './connections/connection-extras.ts';
export { connectionClass, requireConnection } from './connections/find-connection.ts';
export { missingSource, missingSourceError, sourceMistake } from './errors/source-mistakes.ts';
export { llmError, nodeInputError, userError } from './errors/tool-error.ts';
export { askService, type HttpAnswer, maySucceedLater, type NoAnswer, readJson } from './http/ask-service.ts';
export { hostOf, quoted } from './http/quoted.ts';
export { serviceDetails } from './http/service-details.ts';
export { knownParameters, toolParameters } from './llm/api-parameters.ts';
export { type ModelAsker, retryRule } from './llm/ask-model.ts';
export { type BuiltRequest, buildEmbeddingRequest, isTrue } from './llm/build-request.ts';
export { buildVisionRequest } from './llm/build-vision-request.ts';
export { chatOutput } from './llm/chat-output.ts';
export { refusedOffer } from './llm/check-offers.ts';
export { checkRoles } from './llm/check-roles.ts';
export { convertLiteral } from './llm/convert-literals.ts';
export type { OpenService } from './llm/find-service.ts';
export { memoizeLast } from './llm/memoize-last.ts';
export { misspeltInSchemas } from './llm/misspelt-in-schemas.ts';
export { offeredFunctions } from './llm/offered-functions.ts';
export { wrongKind } from './llm/parameter-kinds.ts';
export { buildFromTemplate, readMessages, splitInputs } from './llm/prompt-request.ts';
export { settingDoubts } from './llm/provider-doubts.ts';
export { readPythonList } from './llm/python-literal.ts';
export { type RequestForm, requestForm } from './llm/request-form.ts';
export { readFunctionCall, readToolChoice, validateFunctions, validateTools } from './llm/validate-functions.ts';
export { firstIssue } from './openai/schema-issue.ts';
export { knownRendering } from './prompt/check-rendering.ts';
export { type GuardedText, renderGuarded, trustOf } from './prompt/guarded-text.ts';
export { withoutImageMarks } from './prompt/image-variables.ts';
export { imageSourcesOf, withLiteralImages } from './prompt/literal-images.ts';
export {
  type OpenedTemplate,
  openTemplate,
  type PromptTemplate,
  possibleVariables,
  renderError,
  requireTemplate,
  templateDiagnostics,
  templateParameters,
} from './prompt/prompt-template.ts';
export { blankPython } from './python/blank-python.ts';
export { functionLibrary } from './python/function-library.ts';
export { modulePaths } from './python/module-texts.ts';
