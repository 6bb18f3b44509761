import { type JsonObject, type JsonValue, parseJson } from '@unroll/engine';
import type { CatalogueTool } from '../../tool-catalogue/catalogue-tool.ts';
import { strictSchema } from '../../tool-catalogue/tool-offer.ts';
import { finishToken } from './episode-state.ts';
import { functionNameOf } from './standard-name.ts';
import { atomicToken } from './tool-index.ts';

/** An action as the model wrote it, and what is known of it. */
export interface ActionDocument {
  /** The token without what stood around it. */
  readonly action: string;
  /** Whether there is such a tool. Nothing but the token itself counts: no other case, no near name. */
  readonly known: boolean;
  /** `api_for_tool`, `Finish`, or the token where there is no such tool. */
  readonly name: string;
  readonly place: { readonly category: string; readonly tool: string; readonly api: string } | null;
  /** Names of the tool's parameters as documented. */
  readonly parameters: readonly string[];
  /** What the user says to the action: its documentation, or that it does not exist. */
  readonly reply: string;
  /** `response_format` of the arguments. */
  readonly arguments_format: JsonObject | null;
}

/** The token of a tool: `<<tool&&api>>`. */
export function tokenOf({ group, own }: Pick<CatalogueTool, 'group' | 'own'>): string {
  return atomicToken(group, own);
}

/** Looks an action up. It is a token, or JSON `{"action": token}` as structured outputs give it. */
export function documentAction(written: JsonValue, find: (token: string) => CatalogueTool | undefined): ActionDocument {
  const action = readAction(written);
  if (action === finishToken) return finishDocument;
  const tool = find(action);
  if (tool === undefined) {
    const reply = 'Action does not exist. Please try again.';
    return { action, known: false, name: action, place: null, parameters: [], reply, arguments_format: null };
  }
  const { own, group, category, parameters } = tool;
  return {
    action,
    known: true,
    name: functionNameOf(group, own),
    place: { category, tool: group, api: own },
    parameters: Object.keys((parameters['properties'] ?? {}) as JsonObject),
    reply: replyOf(documentationOf(action, tool)),
    arguments_format: formatOf(parameters),
  };
}

function readAction(written: JsonValue): string {
  const text = typeof written === 'string' ? written.trim() : '';
  if (!text.startsWith('{')) return text;
  try {
    const value = parseJson(text);
    const { action = text } = value as JsonObject;
    return typeof action === 'string' ? action : text;
  } catch {
    return text;
  }
}

/** ToolBench's form: what the tool does, and its parameters by whether they must be given. */
function documentationOf(name: string, { description, parameters }: CatalogueTool): JsonObject {
  const { properties = {}, required = [] } = parameters as { properties?: JsonObject; required?: readonly JsonValue[] };
  const all = Object.entries(properties).map(([member, schema]) => ({ name: member, ...(schema as JsonObject) }));
  const isRequired = (member: string): boolean => required.includes(member);
  return {
    name,
    description: description.trim() === '' ? 'None.' : description.trim(),
    required: all.filter((one) => isRequired(one.name)),
    optional: all.filter((one) => !isRequired(one.name)),
  };
}

function replyOf(documentation: JsonObject): string {
  return `Please give the input. Here is the documentation: ${JSON.stringify(documentation)}`;
}

function formatOf(parameters: JsonObject): JsonObject {
  const schema = strictSchema(parameters);
  if (schema === undefined) return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name: 'arguments', strict: true, schema } };
}

const finishParameters: JsonObject = {
  type: 'object',
  properties: {
    return_type: {
      type: 'string',
      enum: ['give_up_and_restart', 'give_answer'],
      description: 'give_answer, or give_up_and_restart where the task cannot be done from here',
    },
    final_answer: { type: 'string', description: 'all that the user is shown; with give_answer' },
  },
  required: ['return_type', 'final_answer'],
  additionalProperties: false,
};

const finishDocument: ActionDocument = {
  action: finishToken,
  known: true,
  name: 'Finish',
  place: null,
  parameters: ['return_type', 'final_answer'],
  reply: replyOf({
    name: finishToken,
    description: 'Ends the task, with an answer that holds everything the user asked for, or by giving up.',
    required: [
      { name: 'return_type', ...((finishParameters['properties'] as JsonObject)['return_type'] as JsonObject) },
    ],
    optional: [
      { name: 'final_answer', ...((finishParameters['properties'] as JsonObject)['final_answer'] as JsonObject) },
    ],
  }),
  arguments_format: { type: 'json_schema', json_schema: { name: 'finish', strict: true, schema: finishParameters } },
};
