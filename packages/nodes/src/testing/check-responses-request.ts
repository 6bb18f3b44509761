import * as z from 'zod';
import type { RequestProblem } from './request-problem.ts';

/** Shapes of `POST /responses` in OpenAI's published OpenAPI description: `CreateResponse` and what it is made of. */
const inputText = z.strictObject({ type: z.literal('input_text'), text: z.string() });
const inputImage = z.strictObject({
  type: z.literal('input_image'),
  image_url: z.string().nullish(),
  file_id: z.string().nullish(),
  detail: z.enum(['low', 'high', 'auto']),
});
const inputFile = z.strictObject({
  type: z.literal('input_file'),
  file_id: z.string().nullish(),
  filename: z.string().optional(),
  file_data: z.string().optional(),
  file_url: z.string().optional(),
});
const inputContent = z.union([z.string(), z.array(z.union([inputText, inputImage, inputFile]))]);

/** `EasyInputMessage`: what the assistant said is a text. */
const message = z.union([
  z.strictObject({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'system', 'developer']),
    content: inputContent,
  }),
  z.strictObject({ type: z.literal('message').optional(), role: z.literal('assistant'), content: z.string() }),
]);
const functionCall = z.strictObject({
  type: z.literal('function_call'),
  id: z.string().optional(),
  call_id: z.string().min(1).max(64),
  name: z.string(),
  arguments: z.string(),
});
const functionCallOutput = z.strictObject({
  type: z.literal('function_call_output'),
  call_id: z.string().min(1).max(64),
  output: inputContent,
});
const reasoningItem = z.strictObject({
  type: z.literal('reasoning'),
  id: z.string(),
  summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
  encrypted_content: z.string().nullish(),
});
const item = z.union([message, functionCall, functionCallOutput, reasoningItem]);

const functionTool = z.strictObject({
  type: z.literal('function'),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullable(),
  strict: z.boolean().nullable(),
});
const hostedTool = z.looseObject({
  type: z.enum(['web_search', 'file_search', 'code_interpreter', 'mcp', 'image_generation']),
});
const format = z.union([
  z.strictObject({ type: z.enum(['text', 'json_object']) }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    description: z.string().optional(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
]);

const createResponse = z.strictObject({
  model: z.string(),
  input: z.union([z.string(), z.array(item).min(1)]),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(16).nullish(),
  max_tool_calls: z.int().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  tools: z.array(z.union([functionTool, hostedTool])).optional(),
  tool_choice: z
    .union([z.enum(['none', 'auto', 'required']), z.strictObject({ type: z.literal('function'), name: z.string() })])
    .optional(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z
    .strictObject({ format: format.optional(), verbosity: z.enum(['low', 'medium', 'high']).nullish() })
    .optional(),
  reasoning: z
    .strictObject({
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
      summary: z.enum(['auto', 'concise', 'detailed']).nullish(),
    })
    .nullish(),
  include: z
    .array(
      z.enum([
        'file_search_call.results',
        'web_search_call.results',
        'web_search_call.action.sources',
        'message.input_image.image_url',
        'computer_call_output.output.image_url',
        'code_interpreter_call.outputs',
        'reasoning.encrypted_content',
        'message.output_text.logprobs',
      ]),
    )
    .nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  previous_response_id: z.string().nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority']).nullish(),
  safety_identifier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_retention: z.enum(['in_memory', '24h']).nullish(),
  user: z.string().optional(),
});

type CreateResponse = z.infer<typeof createResponse>;

/** What the Responses API refuses; undefined for a request that holds. */
export function checkResponses(body: Readonly<Record<string, unknown>>): RequestProblem | undefined {
  const read = createResponse.safeParse(body);
  if (!read.success) return shapeProblem(read.error.issues[0]);
  return callsProblem(read.data) ?? thoughtsProblem(read.data) ?? modelProblem(read.data);
}

function shapeProblem(issue: z.core.$ZodIssue | undefined): RequestProblem {
  const path = issue?.path.join('.') ?? '';
  const [unknown] = issue?.code === 'unrecognized_keys' && path === '' ? issue.keys : [];
  if (unknown !== undefined) return refused(`Unknown parameter: '${unknown}'.`, unknown);
  return refused(`Invalid value: '${path}': ${issue?.message ?? ''}`, path);
}

/** Each call needs its output, and each output its call, unless an earlier response holds them. */
function callsProblem({ input, previous_response_id: previous }: CreateResponse): RequestProblem | undefined {
  if (typeof input === 'string') return undefined;
  const open = new Set<string>();
  for (const one of input) {
    if (one.type === 'function_call') open.add(one.call_id);
    if (one.type !== 'function_call_output' || open.delete(one.call_id)) continue;
    if ((previous ?? null) === null)
      return refused(`No tool call found for function call output with call_id ${one.call_id}.`, 'input');
  }
  const [unanswered] = open;
  return unanswered === undefined
    ? undefined
    : refused(`No tool output found for function call ${unanswered}.`, 'input');
}

/** A thought is followed by what it led to, and without a store it comes with its content. */
function thoughtsProblem({ input, store }: CreateResponse): RequestProblem | undefined {
  if (typeof input === 'string') return undefined;
  for (const [at, one] of input.entries()) {
    if (one.type !== 'reasoning') continue;
    const next = input.slice(at + 1).find(({ type }) => type !== 'reasoning');
    const isFollowed =
      next !== undefined && (next.type === 'function_call' || ('role' in next && next.role === 'assistant'));
    if (!isFollowed)
      return refused(`Item '${one.id}' of type 'reasoning' was provided without its required following item.`, 'input');
    if (store === false && typeof one.encrypted_content !== 'string')
      return { status: 404, message: `Item with id '${one.id}' not found.`, param: 'input' };
  }
  return undefined;
}

/** What models that think take, and others do not. */
function modelProblem({ model, include, reasoning, temperature }: CreateResponse): RequestProblem | undefined {
  const thinks = /^(o\d|gpt-5)/.test(model);
  if (!thinks && include?.includes('reasoning.encrypted_content') === true)
    return refused('Encrypted content is not supported with this model.', 'include');
  if (!thinks && (reasoning?.effort ?? null) !== null)
    return refused(`Unsupported parameter: 'reasoning.effort' is not supported with this model.`, 'reasoning.effort');
  if (thinks && (temperature ?? null) !== null)
    return refused(`Unsupported parameter: 'temperature' is not supported with this model.`, 'temperature');
  return undefined;
}

function refused(message: string, param: string): RequestProblem {
  return { status: 400, message, param };
}
