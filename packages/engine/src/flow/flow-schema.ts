// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import * as z from 'zod';
import { valueTypes } from './value-types.ts';

/** Iterations a loop may have at most. */
export const maxTimes = 100;

const anything = z.unknown();
const reference = z.string();
const descriptions = new Map<z.core.$ZodType, string>();

/** Descriptions are for the JSON Schema: zod's own `describe` makes each schema a second time, at every start. */
function about<S extends z.core.$ZodType>(schema: S, description: string): S {
  descriptions.set(schema, description);
  return schema;
}

const inputSchema = z.strictObject({
  type: about(z.enum(valueTypes), 'Type the given value is converted to. A connection is never an input of a flow.'),
  default: about(anything.optional(), 'Value where none is given. Without one, or with null, the input must be given.'),
  description: about(z.string().nullish(), 'For readers.'),
  enum: about(z.array(anything).nullish(), 'Values meant to be used; for readers, never enforced.'),
  is_chat_input: about(z.boolean().nullish(), 'The message of the user in a chat.'),
  is_chat_history: about(z.boolean().nullish(), 'The messages so far in a chat.'),
});

const outputSchema = z.strictObject({
  type: about(z.enum(valueTypes), 'Type for readers: the value is given as it is.'),
  reference: about(anything.optional(), 'Where the value comes from: `${node.output}`, `${inputs.name}` or a literal.'),
  description: about(z.string().nullish(), 'For readers.'),
  evaluation_only: about(z.boolean().nullish(), 'Not part of the answer when the flow is served.'),
  is_chat_output: about(z.boolean().nullish(), 'The answer in a chat.'),
});

const sourceSchema = z.strictObject({
  type: about(
    z.enum(['code', 'package', 'package_with_prompt']).nullish(),
    '`code` (default): a file of the flow; `package`: a tool by its name; `package_with_prompt`: both.',
  ),
  path: about(z.string().nullish(), "File, relative to the flow's folder. Several nodes may share one."),
  tool: about(z.string().nullish(), 'Name of the package tool.'),
});

const activateSchema = z.strictObject({
  when: about(z.unknown(), 'What is looked at, usually `${node.output.property}`.'),
  is: about(z.unknown(), 'The node runs only when `when` equals this value; else it is bypassed and gives null.'),
});

const otherConnection = z.strictObject({
  connection: about(z.string().min(1), 'The connection that is asked, by name.'),
  model: about(z.string().min(1).optional(), 'Its model; what the node asks for where it is left out.'),
  deployment_name: about(z.string().min(1).optional(), 'The same for Azure OpenAI.'),
});
const fallbackSchema = z.union([z.string().min(1), otherConnection]);

const retrySchema = z
  .strictObject({
    times: about(z.int().min(0).max(100).optional(), 'How often a failed call is made again at most.'),
    wait_seconds: about(z.number().min(0).nullish(), 'Pause before the first retry; it doubles each time.'),
    fallback: about(
      z.array(fallbackSchema).min(1).optional(),
      'Connections that are asked in turn where the one before could not answer; of llm nodes.',
    ),
  })
  .refine(({ times, fallback }) => times !== undefined || fallback !== undefined, {
    message: 'must have "times" or "fallback"',
  });

const inputsDescription = 'Values by name: `${inputs.name}`, `${node.output.a.b[0]}` or a literal.';

/** A node may have more keys: those of its type. */
const nodeSchema = z.looseObject({
  name: about(z.string().min(1), 'Name in references: `${name.output}`.'),
  type: about(z.string().optional(), 'Kind of the node.'),
  source: about(sourceSchema.nullish(), 'Where the template or the code is.'),
  inputs: about(z.record(z.string(), anything).nullish(), inputsDescription),
  connection: about(z.string().nullish(), 'Connection to the model, by name.'),
  provider: about(z.string().nullish(), 'Ignored: the provider is that of the connection.'),
  api: about(z.string().nullish(), '`chat`, `completion` or `responses`, of llm nodes.'),
  module: about(z.string().nullish(), 'Ignored: module of the tool in Prompt flow.'),
  activate: about(activateSchema.optional(), 'Condition on which the node runs; without it the node always does.'),
  aggregation: about(z.boolean().nullish(), 'Runs once after all rows and gets lists.'),
  reduce: about(z.boolean().nullish(), 'Old spelling of `aggregation`.'),
  use_variants: about(z.boolean().nullish(), 'The node is one of its `node_variants`.'),
  enable_cache: about(z.boolean().nullish(), 'Ignored, as in Prompt flow.'),
  cache: about(
    z.boolean().nullish(),
    'false: always runs, also where nothing has changed since the run given by --since; true: is taken from it also where an index of a service may have changed. An addition to Prompt flow.',
  ),
  retry: about(retrySchema.nullish(), 'Makes failed calls again that may succeed then. An addition to Prompt flow.'),
  timeout: about(z.number().positive().nullish(), 'Seconds the node may take. An addition to Prompt flow.'),
  comment: about(anything.optional(), 'For readers.'),
  tool: about(anything.optional(), 'Ignored: old key of Prompt flow.'),
  skip: about(anything.optional(), 'Ignored: dead key of Prompt flow.'),
});

/** The body of a variant takes the place of the node; without a name it keeps the node's. */
const variantBodySchema = nodeSchema.partial({ name: true });

const variantsSchema = z.strictObject({
  default_variant_id: about(z.string().nullish(), 'Variant that is taken when none is asked for.'),
  variants: about(
    z
      .record(
        z.string(),
        z.strictObject({
          node: about(variantBodySchema, 'The node: it takes the place of the whole entry under `nodes`.'),
          description: about(z.string().nullish(), 'For readers.'),
        }),
      )
      .nullish(),
    'Bodies of the node by their ids.',
  ),
});

const budgetSchema = z.strictObject({
  tokens: about(z.int().min(1).nullish(), 'Tokens, sent and received.'),
  cost: about(z.number().positive().nullish(), 'US dollars, by the prices that `flow run` shows.'),
  seconds: about(z.number().positive().nullish(), 'Seconds since the first iteration began.'),
});

const loopSchema = z.strictObject({
  name: about(z.string().min(1), '`${name.output}` is the result: `{status, answer, function_results}`.'),
  times: about(z.int().min(1).max(maxTimes), 'The bound: how many iterations are laid out.'),
  state: about(reference, 'First state: `${node.output}` that gives an object with the property `until` names.'),
  until: about(
    z.string().regex(/^\w+$/, 'the name of one property: letters, digits and _').nullish(),
    'Property of the state that ends the loop when it is true; default `finished`.',
  ),
  on_exhausted: about(
    z.enum(['unfinished', 'fail', 'finalize']).nullish(),
    'At the bound, not finished: `unfinished` (default) gives that status and what was collected, `fail` fails the row, `finalize` runs one more node.',
  ),
  on_error: about(
    z.enum(['fail', 'feed_back']).nullish(),
    'When the last node of the group fails: `fail` (default) fails the row, `feed_back` puts the error among the results, where the model reads it.',
  ),
  budget: about(
    budgetSchema.nullish(),
    'What the iterations may spend on one row. Looked at after each: once reached, the loop goes round no more and `on_exhausted` says what becomes of it.',
  ),
  nodes: about(
    z.array(nodeSchema).min(1),
    'The group, in order. `${loop.state}` and `${loop.iteration}` are known here; the last node takes the state, gives the next one and always runs, the others only until the loop has ended.',
  ),
  finalize: about(
    nodeSchema.nullish(),
    'Node that answers at the bound from `${loop.state}`; with `on_exhausted: finalize`.',
  ),
});

const topShape = {
  $schema: about(z.string().nullish(), 'Ignored.'),
  id: about(z.string().nullish(), 'Id in run records.'),
  name: about(z.string().nullish(), "Name of the flow; its folder's where absent."),
  display_name: about(z.string().nullish(), 'For readers.'),
  description: about(z.string().nullish(), 'For readers.'),
  tags: about(anything.optional(), 'For readers.'),
  type: about(z.string().nullish(), '`standard`, `evaluation` or `chat`: for readers.'),
  language: about(z.string().nullish(), 'Language of the code nodes: `python`.'),
  message_format: about(z.string().nullish(), '`basic` (default) or `openai-vision`.'),
  values_open_roles: about(
    z.boolean().nullish(),
    'Whether values of nodes and literals may start messages in chat templates, as in Prompt flow; false where there is a loop. An addition to Prompt flow.',
  ),
  inputs: about(z.record(z.string(), inputSchema).nullish(), 'What a run is given.'),
  outputs: about(z.record(z.string(), outputSchema).nullish(), 'What a run gives.'),
  nodes: about(z.array(nodeSchema).nullish(), 'The steps, in any order: references decide which runs first.'),
  loops: about(
    z.array(loopSchema).nullish(),
    'Groups of nodes repeated up to a bound, laid out as plain nodes before a run. An addition to Prompt flow.',
  ),
  node_variants: about(z.record(z.string(), variantsSchema).nullish(), 'Bodies of the nodes with `use_variants`.'),
  environment: about(anything.optional(), 'Ignored in a run.'),
  environment_variables: about(z.record(z.string(), anything).nullish(), 'Environment of the nodes.'),
  additional_includes: about(z.array(z.string()).nullish(), 'Files outside the folder that belong to the flow.'),
  tools: about(anything.optional(), 'Ignored: old key of Prompt flow.'),
  sample: about(anything.optional(), 'For readers.'),
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
  if (path[0] === 'retry' && path[1] === 'fallback' && path.length === 3) return Object.keys(otherConnection.shape);
  if (path.length > 1) return undefined;
  if (path[0] === 'source') return Object.keys(sourceSchema.shape);
  if (path[0] === 'activate') return Object.keys(activateSchema.shape);
  return path[0] === 'retry' ? Object.keys(retrySchema.shape) : undefined;
}

/** Keys every node may have. */
export const nodeKeys: readonly string[] = Object.keys(nodeSchema.shape);

/** The schemas of parts, for those that describe them in other ways. */
export const describedParts = { flow: flowSchema, node: nodeSchema, body: variantBodySchema, descriptions };
