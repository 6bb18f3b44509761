import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expectedSentence, type JsonObject, meantIssues, parseYaml, placeOf } from '@unroll/engine';
import * as z from 'zod';
import { type AgentOperation, readActionGroups } from './action-group.ts';
import { defaultPrompts } from './default-prompts.ts';
import type { OutputParser } from './output-parser.ts';
import { type PromptType, promptTypes } from './prompt-type.ts';

/** A step of the chain: whether it takes place, and with which prompt. */
interface AgentPrompt {
  readonly state: 'ENABLED' | 'DISABLED';
  readonly creationMode: 'DEFAULT' | 'OVERRIDDEN';
  readonly template: string;
}

export interface BedrockAgent {
  readonly name: string;
  readonly id: string;
  readonly alias: string;
  readonly version: string;
  readonly instruction: string;
  /** Whether the agent may ask the user. */
  readonly userInput: boolean;
  readonly operations: readonly AgentOperation[];
  /** Groups whose calls are handed to the caller instead of being made. */
  readonly returnControl: ReadonlySet<string>;
  readonly knowledgeBases: readonly { readonly id: string; readonly description: string }[];
  readonly prompts: Readonly<Record<PromptType, AgentPrompt>>;
  /** Parsers that take the place of a step's own. */
  readonly parsers: OutputParsers;
}

export type OutputParsers = Readonly<Partial<Record<PromptType, OutputParser>>>;

const defaultStates: Readonly<Record<PromptType, AgentPrompt['state']>> = {
  PRE_PROCESSING: 'DISABLED',
  ORCHESTRATION: 'ENABLED',
  KNOWLEDGE_BASE_RESPONSE_GENERATION: 'ENABLED',
  POST_PROCESSING: 'DISABLED',
};

const parameterSchema = z.strictObject({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']).default('string'),
  description: z.string().default(''),
  required: z.boolean().default(false),
});

const groupSchema = z.strictObject({
  name: z.string().regex(/^[\p{L}\p{N}_-]{1,100}$/u, 'letters, digits, underscore and hyphen, 100 at most'),
  description: z.string().optional(),
  schema: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  functions: z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string().default(''),
        parameters: z.record(z.string(), parameterSchema).default({}),
      }),
    )
    .optional(),
  executor: z.enum(['lambda', 'return_control']).default('lambda'),
});

const promptSchema = z.strictObject({
  state: z.enum(['ENABLED', 'DISABLED']).optional(),
  template: z.string().optional(),
});

const agentSchema = z.strictObject({
  name: z.string(),
  id: z.string().default('AGENT'),
  alias: z.string().default('TSTALIASID'),
  version: z.string().default('DRAFT'),
  instruction: z.string().default(''),
  user_input: z.boolean().default(true),
  action_groups: z.array(groupSchema).default([]),
  knowledge_bases: z.array(z.strictObject({ id: z.string(), description: z.string().default('') })).default([]),
  prompts: z.partialRecord(z.enum(promptTypes), promptSchema).default({}),
});

export type AgentFile = z.input<typeof agentSchema>;
type ActionGroup = z.output<typeof groupSchema>;

/**
 * Reads an agent: its file, the OpenAPI documents and the prompts it names, relative to it.
 *
 * @throws Error that names every mistake with its place
 */
export function loadAgent(url: URL, parsers: OutputParsers = {}): BedrockAgent {
  const path = fileURLToPath(url);
  const { value, diagnostics, locate } = parseYaml({ path, text: readFileSync(path, 'utf8') });
  if (value === undefined) throw new Error(`${path}: ${diagnostics.map(({ message }) => message).join('; ')}`);
  const read = agentSchema.safeParse(value, { error: expectedSentence });
  if (!read.success) {
    const mistakes = read.error.issues.flatMap(meantIssues).map(({ path: at, message }) => {
      const span = locate(at as (string | number)[]);
      const { line, column } = span === undefined ? { line: 1, column: 1 } : placeOf(span.file, span.start);
      return `${path}:${line}:${column} ${at.join('.')}: ${message}`;
    });
    throw new Error(mistakes.join('\n'));
  }
  return createAgent(read.data, (file) => readBeside(url, file), parsers);
}

/**
 * @param readText text of a file the agent names
 * @throws Error for action groups that the service would refuse
 */
export function createAgent(
  written: AgentFile,
  readText: (file: string) => string,
  parsers: OutputParsers = {},
): BedrockAgent {
  const agent = agentSchema.parse(written);
  const groups = agent.action_groups.map((group) => ({
    action_group: { name: group.name },
    schema: schemaOf(group, readText),
    ...(group.functions === undefined ? {} : { functions: group.functions }),
  }));
  const read = readActionGroups(groups);
  if (!read.ok) throw new Error(`${read.code}: ${read.message}`);
  const promptOf = (type: PromptType): AgentPrompt => {
    const { state, template } = agent.prompts[type] ?? {};
    return {
      state: state ?? defaultStates[type],
      creationMode: template === undefined ? 'DEFAULT' : 'OVERRIDDEN',
      template: template === undefined ? defaultPrompts[type] : readText(template),
    };
  };
  const { name, id, alias, version, instruction, user_input: userInput, knowledge_bases: knowledgeBases } = agent;
  return {
    name,
    id,
    alias,
    version,
    instruction,
    userInput,
    knowledgeBases,
    operations: read.operations,
    returnControl: new Set(
      agent.action_groups.filter((one) => one.executor === 'return_control').map((one) => one.name),
    ),
    prompts: Object.fromEntries(promptTypes.map((type) => [type, promptOf(type)])) as BedrockAgent['prompts'],
    parsers,
  };
}

function schemaOf({ schema = {} }: ActionGroup, readText: (file: string) => string): JsonObject {
  if (typeof schema !== 'string') return schema as JsonObject;
  const { value, diagnostics } = parseYaml({ path: schema, text: readText(schema) });
  if (value === undefined) throw new Error(`${schema}: ${diagnostics.map(({ message }) => message).join('; ')}`);
  return value as JsonObject;
}

/** @throws Error when the file is not there, or not in the agent's folder */
function readBeside(agent: URL, file: string): string {
  const found = new URL(file, agent);
  const folder = new URL('.', agent).href;
  if (!found.href.startsWith(folder)) throw new Error(`${file} lies outside of the agent's folder`);
  if (!existsSync(found)) throw new Error(`${file} is not there`);
  return readFileSync(found, 'utf8');
}
