// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import * as z from 'zod';
import { valueTypes } from './value-types.ts';

/** Iterations a loop may have at most. */
export const mostTimes = 100;

const anything = z.unknown();
const reference = z.string();

const inputSchema = z.strictObject({
  type: z.enum(valueTypes).describe('Type the given value is converted to. A connection is never an input of a flow.'),
  default: anything
    .optional()
    .describe('Value where none is given. Without one, or with null, the input must be given.'),
  description: z.string().nullish().describe('For readers.'),
  enum: z.array(anything).nullish().describe('Values meant to be used; for readers, never enforced.'),
  is_chat_input: z.boolean().nullish().describe('The message of the user in a chat.'),
  is_chat_history: z.boolean().nullish().describe('The messages so far in a chat.'),
});

const outputSchema = z.strictObject({
  type: z.enum(valueTypes).describe('Type for readers: the value is given as it is.'),
  reference: anything
    .optional()
    .describe('Where the value comes from: `${node.output}`, `${inputs.name}` or a literal.'),
  description: z.string().nullish().describe('For readers.'),
  evaluation_only: z.boolean().nullish().describe('Not part of the answer when the flow is served.'),
  is_chat_output: z.boolean().nullish().describe('The answer in a chat.'),
});

const sourceSchema = z.strictObject({
  type: z
    .enum(['code', 'package', 'package_with_prompt'])
    .nullish()
    .describe('`code` (default): a file of the flow; `package`: a tool by its name; `package_with_prompt`: both.'),
  path: z.string().nullish().describe("File, relative to the flow's folder. Several nodes may share one."),
  tool: z.string().nullish().describe('Name of the package tool.'),
});

const activateSchema = z.strictObject({
  when: anything.describe('What is looked at, usually `${node.output.property}`.'),
  is: anything.describe('The node runs only when `when` equals this value; else it is bypassed and gives null.'),
});

const retrySchema = z.strictObject({
  times: z.int().min(0).max(100).describe('How often a failed call is made again at most.'),
  wait_seconds: z.number().min(0).nullish().describe('Pause before the first retry; it doubles each time.'),
});

const inputsDescription = 'Values by name: `${inputs.name}`, `${node.output.a.b[0]}` or a literal.';

/** A node may have more keys: those of its type. */
const nodeSchema = z.looseObject({
  name: z.string().min(1).describe('Name in references: `${name.output}`.'),
  type: z
    .string()
    .optional()
    .meta({ description: 'Kind of the node.', examples: ['llm', 'prompt', 'python', 'lookup'] }),
  source: sourceSchema.nullish().describe('Where the template or the code is.'),
  inputs: z.record(z.string(), anything).nullish().describe(inputsDescription),
  connection: z.string().nullish().describe('Connection to the model, by name.'),
  provider: z.string().nullish().describe('Ignored: the provider is that of the connection.'),
  api: z.string().nullish().describe('`chat` or `completion`, of llm nodes.'),
  module: z.string().nullish().describe('Ignored: module of the tool in Prompt flow.'),
  activate: activateSchema.optional().describe('Condition on which the node runs; without it the node always does.'),
  aggregation: z.boolean().nullish().describe('Runs once after all rows and gets lists.'),
  reduce: z.boolean().nullish().describe('Old spelling of `aggregation`.'),
  use_variants: z.boolean().nullish().describe('The node is one of its `node_variants`.'),
  enable_cache: z.boolean().nullish().describe('Ignored, as in Prompt flow.'),
  cache: z
    .boolean()
    .nullish()
    .describe(
      'false: always runs, also where nothing has changed since the run given by --since; true: is taken from it also where an index of a service may have changed. An addition to Prompt flow.',
    ),
  retry: retrySchema.nullish().describe('Makes failed calls again that may succeed then. An addition to Prompt flow.'),
  timeout: z.number().positive().nullish().describe('Seconds the node may take. An addition to Prompt flow.'),
  comment: anything.optional().describe('For readers.'),
  tool: anything.optional().describe('Ignored: old key of Prompt flow.'),
  skip: anything.optional().describe('Ignored: dead key of Prompt flow.'),
});

/** The body of a variant takes the place of the node; without a name it keeps the node's. */
const variantBodySchema = nodeSchema.partial({ name: true });

const variantsSchema = z.strictObject({
  default_variant_id: z.string().nullish().describe('Variant that is taken when none is asked for.'),
  variants: z
    .record(
      z.string(),
      z.strictObject({
        node: variantBodySchema.describe('The node: it takes the place of the whole entry under `nodes`.'),
        description: z.string().nullish().describe('For readers.'),
      }),
    )
    .nullish()
    .describe('Bodies of the node by their ids.'),
});

const budgetSchema = z.strictObject({
  tokens: z.int().min(1).nullish().describe('Tokens, sent and received.'),
  cost: z.number().positive().nullish().describe('US dollars, by the prices that `flow run` shows.'),
  seconds: z.number().positive().nullish().describe('Seconds since the first iteration began.'),
});

const loopSchema = z.strictObject({
  name: z.string().min(1).describe('`${name.output}` is the result: `{status, answer, function_results}`.'),
  times: z.int().min(1).max(mostTimes).describe('The bound: how many iterations are laid out.'),
  state: reference.describe('First state: `${node.output}` that gives an object with the property `until` names.'),
  until: z
    .string()
    .regex(/^\w+$/)
    .nullish()
    .describe('Property of the state that ends the loop when it is true; default `finished`.'),
  on_exhausted: z
    .enum(['unfinished', 'fail', 'finalize'])
    .nullish()
    .describe(
      'At the bound, not finished: `unfinished` (default) gives that status and what was collected, `fail` fails the row, `finalize` runs one more node.',
    ),
  on_error: z
    .enum(['fail', 'feed_back'])
    .nullish()
    .describe(
      'When the last node of the group fails: `fail` (default) fails the row, `feed_back` puts the error among the results, where the model reads it.',
    ),
  budget: budgetSchema
    .nullish()
    .describe(
      'What the iterations may spend on one row. Looked at after each: once reached, the loop goes round no more and `on_exhausted` says what becomes of it.',
    ),
  nodes: z
    .array(nodeSchema)
    .min(1)
    .describe(
      'The group, in order. `${loop.state}` and `${loop.iteration}` are known here; the last node takes the state, gives the next one and always runs, the others only until the loop has ended.',
    ),
  finalize: nodeSchema
    .nullish()
    .describe('Node that answers at the bound from `${loop.state}`; with `on_exhausted: finalize`.'),
});

const topShape = {
  $schema: z.string().nullish().describe('Ignored.'),
  id: z.string().nullish().describe('Id in run records.'),
  name: z.string().nullish().describe("Name of the flow; its folder's where absent."),
  display_name: z.string().nullish().describe('For readers.'),
  description: z.string().nullish().describe('For readers.'),
  tags: anything.optional().describe('For readers.'),
  type: z.string().nullish().describe('`standard`, `evaluation` or `chat`: for readers.'),
  language: z.string().nullish().describe('Language of the code nodes: `python`.'),
  message_format: z.string().nullish().describe('`basic` (default) or `openai-vision`.'),
  values_open_roles: z
    .boolean()
    .nullish()
    .describe(
      'Whether values of nodes and literals may start messages in chat templates, as in Prompt flow; false where there is a loop. An addition to Prompt flow.',
    ),
  inputs: z.record(z.string(), inputSchema).nullish().describe('What a run is given.'),
  outputs: z.record(z.string(), outputSchema).nullish().describe('What a run gives.'),
  nodes: z.array(nodeSchema).nullish().describe('The steps, in any order: references decide which runs first.'),
  loops: z
    .array(loopSchema)
    .nullish()
    .describe(
      'Groups of nodes repeated up to a bound, laid out as plain nodes before a run. An addition to Prompt flow.',
    ),
  node_variants: z.record(z.string(), variantsSchema).nullish().describe('Bodies of the nodes with `use_variants`.'),
  environment: anything.optional().describe('Ignored in a run.'),
  environment_variables: z.record(z.string(), anything).nullish().describe('Environment of the nodes.'),
  additional_includes: z.array(z.string()).nullish().describe('Files outside the folder that belong to the flow.'),
  tools: anything.optional().describe('Ignored: old key of Prompt flow.'),
  sample: anything.optional().describe('For readers.'),
};

/** The shape of a flow file. What references mean is no matter of shape. */
export const flowSchema = z.looseObject(topShape);

/** Known keys of the object at a path into a flow file; undefined where any key may stand. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] | undefined {
  const [section] = path;
  if (path.length === 0) return Object.keys(topShape);
  if (section === 'inputs' && path.length === 2) return Object.keys(inputSchema.shape);
  if (section === 'outputs' && path.length === 2) return Object.keys(outputSchema.shape);
  if (section === 'nodes') return knownNodeKeys(path.slice(2));
  if (section === 'node_variants') return knownVariantKeys(path.slice(2));
  return section === 'loops' ? knownLoopKeys(path.slice(2)) : undefined;
}

function knownLoopKeys([part, index, ...rest]: readonly PropertyKey[]): readonly string[] | undefined {
  if (part === undefined) return Object.keys(loopSchema.shape);
  if (part === 'budget') return index === undefined ? Object.keys(budgetSchema.shape) : undefined;
  if (part === 'finalize') return knownNodeKeys(index === undefined ? [] : [index, ...rest]);
  return part === 'nodes' && index !== undefined ? knownNodeKeys(rest) : undefined;
}

function knownVariantKeys(path: readonly PropertyKey[]): readonly string[] | undefined {
  if (path.length === 0) return Object.keys(variantsSchema.shape);
  if (path.length === 2) return ['node', 'description'];
  return path[2] === 'node' ? knownNodeKeys(path.slice(3)) : undefined;
}

function knownNodeKeys(path: readonly PropertyKey[]): readonly string[] | undefined {
  if (path.length === 0) return nodeKeys;
  if (path.length > 1) return undefined;
  if (path[0] === 'source') return Object.keys(sourceSchema.shape);
  if (path[0] === 'activate') return Object.keys(activateSchema.shape);
  return path[0] === 'retry' ? Object.keys(retrySchema.shape) : undefined;
}

/** Keys every node may have. */
export const nodeKeys: readonly string[] = Object.keys(nodeSchema.shape);

/** JSON Schema (draft 2020-12) of a flow file, for editors; schema/flow.schema.json is printed from it. */
export function flowJsonSchema(): object {
  const schema = z.toJSONSchema(flowSchema, { io: 'input', reused: 'inline' });
  return { $id: 'flow.schema.json', title: 'A flow: flow.dag.yaml of Prompt flow, with bounded loops', ...schema };
}
