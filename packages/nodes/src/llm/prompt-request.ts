import {
  Image,
  imagesIn,
  type JsonObject,
  type JsonValue,
  type NodeCall,
  type NodeError,
  pythonStr,
  type SourceFile,
} from '@unroll/engine';
import { compileTemplate, newlineLists, TemplateError, type TemplateProblem } from '@unroll/engine/template';
import { userError } from '../errors/tool-error.ts';
import { describedVariables } from '../prompt/described-variables.ts';
import { renderGuarded, type Trust, unusedCharacter } from '../prompt/guarded-text.ts';
import { promptResult } from '../prompt/prompt-results.ts';
import { type PromptTemplate, renderError, templateOptions } from '../prompt/prompt-template.ts';
import type { Api } from './api-parameters.ts';
import { type BuiltRequest, buildChatRequest, buildCompletionRequest, buildResponsesRequest } from './build-request.ts';
import { type ChatMessage, parseChat } from './parse-chat.ts';
import type { RequestForm } from './request-form.ts';

/** A template on its way to a model: whose API it is written for, and which of its values may open a role. */
export interface ModelPrompt {
  readonly api: Exclude<Api, 'embedding'>;
  readonly form: RequestForm;
  readonly opened: PromptTemplate;
  readonly trust: Trust;
  /** Input whose messages follow those of the template as they are. */
  readonly messagesFrom?: string;
}

/** Fills the template with the node's variables and makes the request of it, with the parameters that go to the API. */
export function buildFromTemplate(
  prompt: ModelPrompt,
  variables: JsonObject,
  given: JsonObject,
  call: Pick<NodeCall, 'row' | 'originals'>,
): BuiltRequest {
  const { api, form, messagesFrom } = prompt;
  const opened = isWritten(given['prompt']) ? openGiven(given['prompt'], prompt, call) : prompt.opened;
  if ('ok' in opened) return opened;
  if (api !== 'completion') {
    const { more, rest } = messagesAmong(variables, messagesFrom);
    if (more === undefined) return { ok: false, error: noMessages(messagesFrom ?? '') };
    const read = readMessages({ ...prompt, opened }, rest, call);
    if (!read.ok) return read;
    const build = api === 'chat' ? buildChatRequest : buildResponsesRequest;
    return build(form, [...read.messages, ...more], given);
  }
  try {
    const described = describedVariables(variables, opened.file.text, call.originals);
    return buildCompletionRequest(form, opened.template.render(described), given);
  } catch (error) {
    return { ok: false, error: renderError(error, opened.file) };
  }
}

function messagesAmong(
  variables: JsonObject,
  name: string | undefined,
): { readonly more: readonly ChatMessage[] | undefined; readonly rest: JsonObject } {
  if (name === undefined) return { more: [], rest: variables };
  const { [name]: given = [], ...rest } = variables;
  const isList = Array.isArray(given) && (given as readonly JsonValue[]).every(isMessage);
  return { more: isList ? (given as unknown as readonly ChatMessage[]) : undefined, rest };
}

function isMessage(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && 'role' in value;
}

function noMessages(name: string): NodeError {
  return userError('MessagesInvalid', `The input '${name}' must be a list of messages, each with its role.`);
}

function isWritten(prompt: JsonValue | undefined): prompt is JsonValue {
  return prompt !== undefined && prompt !== null && prompt !== '';
}

/**
 * A prompt that the node is given in the place of its template. In one that a prompt node rendered, lines of that node's
 * guarded values open no role.
 */
function openGiven(
  prompt: JsonValue,
  { opened, trust }: ModelPrompt,
  { row }: Pick<NodeCall, 'row'>,
): TemplateForMessages | Extract<BuiltRequest, { ok: false }> {
  const text = pythonStr(prompt);
  const node = trust.outputs.find(([input]) => input === 'prompt')?.[1];
  const known = node === undefined ? undefined : promptResult(row, node, text, unusedCharacter);
  const file = { ...opened.file, text: known?.marked ?? text };
  const compiled = compileTemplate(file.text, templateOptions);
  if (!compiled.ok) return { ok: false, error: unreadable(compiled.problems, file) };
  return {
    file,
    template: compiled.template,
    ...(known === undefined || known.mark === '' ? {} : { mark: known.mark }),
  };
}

function unreadable(problems: readonly TemplateProblem[], file: SourceFile): NodeError {
  const [problem] = problems;
  if (problem === undefined) throw new Error('bug: a template that cannot be compiled has no problem');
  return renderError(new TemplateError(problem), file);
}

interface TemplateForMessages extends PromptTemplate {
  /** Stands in its text where guarded values begin lines. */
  readonly mark?: string;
}

type ReadMessages =
  | { readonly ok: true; readonly messages: readonly ChatMessage[] }
  | { readonly ok: false; readonly error: NodeError };

/**
 * Fills a chat template and reads its messages.
 *
 * @param vision whether a line that is an image becomes one, as in Prompt flow's vision tools, which print lists as Azure's do,
 *   and in prompties, which print them as Python does
 */
export function readMessages(
  { form, opened, trust }: Omit<ModelPrompt, 'api' | 'opened'> & { readonly opened: TemplateForMessages },
  variables: JsonObject,
  call: Pick<NodeCall, 'row' | 'originals'>,
  vision: { readonly images: boolean; readonly plainLists?: boolean } = { images: false },
): ReadMessages {
  const { template, file, mark } = opened;
  try {
    const hasNewlines = vision.plainLists !== true && (form === 'azure' || vision.images);
    const { text, guard } = renderGuarded(
      template,
      file.text,
      variables,
      trust,
      call,
      hasNewlines ? newlineLists : undefined,
    );
    const guardedText = mark === undefined ? text : text.replaceAll(mark, guard);
    return parseChat(guardedText, guard, vision.images ? imageParts(variables) : undefined);
  } catch (error) {
    return { ok: false, error: renderError(error, file) };
  }
}

/** How each image among the values is printed, and the part of a message that it is. Its detail is always `auto`. */
function imageParts(variables: JsonObject): ReadonlyMap<string, JsonValue> {
  return new Map(
    imagesIn(variables).map((image) => {
      const url = Image.sourceUrlOf(image) ?? `data:${Image.mimeTypeOf(image)};base64,${Image.base64Of(image)}`;
      return [String(image), { type: 'image_url', image_url: { url, detail: 'auto' } }];
    }),
  );
}

/** The inputs of a node, told apart: those that go to the API and those that fill the template. */
export function splitInputs(
  inputs: JsonObject,
  parameters: Readonly<Record<string, string>>,
): readonly [JsonObject, JsonObject] {
  const given: Record<string, JsonValue> = {};
  const variables: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(inputs)) (name in parameters ? given : variables)[name] = value;
  return [given, variables];
}
