import type { Diagnostic, DiagnosticDetails, JsonValue } from '@unroll/engine';
import { pythonRepr } from '@unroll/engine';
import { duplicateKeyText } from './duplicate-key.ts';
import { nodeErrors, unsupportedNodeType } from './node-error.ts';
import type { ErrorsByKind, PromptFlowError } from './prompt-flow-error.ts';
import { readingRefusal, testRefusal } from './reading-refusal.ts';
import { referenceErrors } from './reference-error.ts';
import { variantErrors } from './variant-error.ts';

/** The error that Prompt flow raises for an author's mistake; undefined where it raises none that we know of. */
export function promptFlowError(diagnostic: Diagnostic): PromptFlowError | undefined {
  const { details } = diagnostic;
  if (details === undefined) return undefined;
  const errorOf = errors[details.kind] as (
    details: DiagnosticDetails,
    found: Diagnostic,
  ) => PromptFlowError | undefined;
  return errorOf(details, diagnostic);
}

/** The same where its test of a flow meets the mistake: it looks at the nodes before it reads the flow. */
export function promptFlowTestError(diagnostic: Diagnostic): PromptFlowError | undefined {
  const { details } = diagnostic;
  const isShape = details?.kind === 'flow-shape' || details?.kind === 'source-type';
  const error = promptFlowError(diagnostic);
  return isShape && readingRefusal(details.flow as JsonValue) !== undefined
    ? (testRefusal(details.flow as JsonValue) ?? error)
    : error;
}

const errors: ErrorsByKind<DiagnosticDetails> = {
  ...nodeErrors,
  ...referenceErrors,
  ...variantErrors,
  'unreadable-yaml': (_, { span, message }) => yamlError(span?.file.path ?? '', message),
  'duplicate-key': (details, { span }) => yamlError(span?.file.path ?? '', duplicateKeyText(details)),
  'include-missing': ({ path }) => userError(`Unable to find additional include ${path}`),
  'flow-shape': ({ flow }) => readingRefusal(flow as JsonValue),
  'source-type': ({ flow, node, nodeType, sourceType }) =>
    readingRefusal(flow as JsonValue) ??
    unsupportedNodeType(node, `Tool source type ${String(sourceType)} for ${nodeType} tool`),
  'message-format': ({ format }) => ({
    code: 'InvalidMessageFormatType',
    message: `Invalid message format '${format}'. Supported message formats are ['basic', 'openai-vision'].`,
  }),
  'entry-form': ({ entry }) => ({
    code: 'InvalidFlexFlowEntry',
    message: `Invalid entry '${entry}'.The entry should be in the format of '<module>:<function>'.`,
  }),
  'entry-without-module': ({ file, entry }) =>
    notLoaded(`Failed to load python module for ${file}: (ModuleNotFoundError) No module named '${moduleOf(entry)}'`),
  'entry-unknown': ({ entry }) =>
    notLoaded(`Failed to load python function '${nameOf(entry)}' from file '${moduleOf(entry)}', got None.`),
  'entry-not-callable': ({ entry }) =>
    notLoaded(`Python class entry '${nameOf(entry)}' does not have __call__ method.`),
  'prompty-form': () => userError(illegalPrompty),
  'prompty-section': ({ isList }) => ({
    code: 'AttributeError',
    message: `'${isList ? 'CommentedSeq' : 'str'}' object has no attribute 'items'`,
  }),
  'prompty-value-type': ({ type }) => ({
    code: 'ValueError',
    message: `${pythonRepr(type as JsonValue)} is not a valid ValueType`,
  }),
  'prompty-model-twice': () => ({
    code: 'InvalidConnectionError',
    message: 'Cannot configure model config and connection in configuration at the same time.',
  }),
  'prompty-file-missing': ({ path }) => userError(`Cannot find the reference file ${path}.`),
};

const illegalPrompty =
  'Illegal formatting of prompty. The prompt file is in markdown format and can be divided into two parts, the first part is in YAML format and contains connection and model information. The second part is the prompt template.';

function yamlError(file: string, message: string): PromptFlowError {
  return { code: 'YAMLError', message: `Error while parsing yaml file: ${file} \n\n ${message}` };
}

function userError(message: string): PromptFlowError {
  return { code: 'UserErrorException', message };
}

function notLoaded(message: string): PromptFlowError {
  return { code: 'PythonLoadError', message };
}

function moduleOf(entry: string): string {
  return entry.split(':')[0] ?? '';
}

function nameOf(entry: string): string {
  return entry.split(':')[1] ?? '';
}
