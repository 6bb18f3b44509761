import type {
  Diagnostic,
  FingerprintInputs,
  FlowFiles,
  NodeDefinition,
  NodeError,
  Parameter,
  SourceFile,
} from '@unroll/engine';
import { PrepareError, placeOf, textHash } from '@unroll/engine';
import { compileTemplate, type Template, TemplateError, type TemplateProblem } from '@unroll/engine/template';
import { missingPath } from '../errors/source-mistakes.ts';
import { optionalVariables } from './optional-variables.ts';

/** A template file of a flow, compiled as Prompt flow compiles them. */
export interface PromptTemplate {
  readonly file: SourceFile;
  readonly template: Template;
}

export type OpenedTemplate =
  | { readonly ok: true; readonly opened: PromptTemplate }
  | { readonly ok: false; readonly problems: readonly TemplateProblem[]; readonly file?: SourceFile };

/** How Prompt flow compiles the templates of its nodes. */
export const templateOptions = { trimBlocks: true, keepTrailingNewline: true };

/** Reads and compiles the template of a node; no file gives no problem here, the check of files reports it. */
export function openTemplate(node: NodeDefinition, files: FlowFiles): OpenedTemplate {
  const file = node.source?.path === undefined ? undefined : files.read(node.source.path);
  if (file === undefined) return { ok: false, problems: [] };
  const compiled = compileTemplate(file.text, templateOptions);
  return compiled.ok
    ? { ok: true, opened: { file, template: compiled.template } }
    : { ok: false, problems: compiled.problems, file };
}

/** The template as a part of its node's definition: a comment is none of it. */
export function templateParts({ source }: NodeDefinition, { template }: PromptTemplate): FingerprintInputs {
  return { [`template ${source?.path}`]: textHash(template.shape()) };
}

/** @throws PrepareError when there is no such file or it is no template */
export function requireTemplate(node: NodeDefinition, files: FlowFiles): PromptTemplate {
  const opened = openTemplate(node, files);
  if (opened.ok) return opened.opened;
  const [problem] = opened.problems;
  const { file } = opened;
  if (problem === undefined || file === undefined) throw new PrepareError(missingFile(node));
  const { errorClass } = problem;
  const message = parsingFailed(file, problem);
  throw new PrepareError({ code: errorClass, message, retryable: false });
}

/** Prompt flow looks for variables in the text without its last line break. */
function parsingFailed(file: SourceFile, { errorClass, message, place }: TemplateProblem): string {
  const lastPlace = file.text.replace(/\n$/, '').length;
  const { line } = placeOf(file, Math.min(place.start, lastPlace));
  const where = foundByCompiler.test(message) ? `\n  File "<introspection>", line ${line}` : '';
  return `Jinja parsing failed at line ${line}: (${errorClass}) ${message}${where}`;
}

/** What Jinja's parser takes and its compiler does not: Prompt flow shows such an error with the name of the template. */
const foundByCompiler = /^(?:No (?:filter|test) named '|block '.*' defined twice$)/;

function missingFile(node: NodeDefinition): NodeError {
  const message = `Node source path '${node.source?.path ?? 'None'}' is invalid on node '${node.name}'.`;
  return { code: 'InvalidSource', message, retryable: false };
}

export function templateDiagnostics(opened: OpenedTemplate, node: NodeDefinition): readonly Diagnostic[] {
  if (node.source?.path === undefined)
    return [missingPath(node, 'for instance `source: {type: code, path: ask.jinja2}`')];
  if (opened.ok || opened.file === undefined) return [];
  const { file } = opened;
  return opened.problems.map((problem) => ({
    severity: 'error',
    code: 'TEMPLATE_SYNTAX',
    message: `${problem.errorClass}: ${problem.message}`,
    span: { file, start: problem.place.start, end: problem.place.end },
    ...(problem.help === undefined ? {} : { help: problem.help }),
    unreadyNode: node.name,
    details: { kind: 'template-syntax', node: node.name, problem: parsingFailed(file, problem) },
  }));
}

/** What the template reads, each with its first place. */
export function templateParameters({ file, template }: PromptTemplate): readonly Parameter[] {
  const optional = optionalVariables(file.text);
  return template.variables.map(({ name, place, isNeeded }) => ({
    name,
    required: !optional.has(name),
    isNeeded,
    span: { file, start: place.start, end: place.end },
  }));
}

/** Names that may be variables of a template that cannot be read: whatever stands in it as a word. */
export function possibleVariables(opened: OpenedTemplate): ReadonlySet<string> {
  return new Set(opened.ok ? [] : opened.file?.text.match(/\w+/g));
}

/** What a failure to render is to the one who runs the flow: Prompt flow's text, and the place. */
export function renderError(error: unknown, file: SourceFile): NodeError {
  if (!(error instanceof TemplateError)) throw error;
  const { errorClass, message, place } = error.problem;
  const { line, column } = placeOf(file, place.start);
  return {
    code: 'JinjaTemplateError',
    message: `Failed to render jinja template: ${errorClass}: ${message}. Please modify your prompt to fix the issue.`,
    retryable: false,
    cause: { code: errorClass, message },
    trace: [`${file.path}:${line}:${column}`],
  };
}

/** What a template prints of an image, to `check`. */
export const printsImages: { readonly help: string } = {
  help: 'a custom_llm node of the tool promptflow.tools.openai_gpt4v.OpenAI.chat shows images to its model',
};
