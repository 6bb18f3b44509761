// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import * as z from 'zod';
import type { Evaluator } from '../evaluators/evaluator.ts';

const anything = z.unknown();
const text = z.string().min(1);

const noWorseThan = z.literal('baseline').nullish();

export const sliceGateSchema = z.strictObject({
  min: z.number().nullish().describe('The mean of each slice is at least this.'),
  max: z.number().nullish().describe('The mean of each slice is at most this.'),
  no_worse_than: noWorseThan.describe('`baseline`: no slice is significantly worse than in the accepted run.'),
  rows: z.int().min(1).nullish().describe('Scores that a slice must have to be judged; default 1.'),
});

export const gateSchema = z.strictObject({
  min: z.number().nullish().describe('The mean is at least this.'),
  max: z.number().nullish().describe('The mean is at most this.'),
  no_worse_than: noWorseThan.describe('`baseline`: the metric is not significantly worse than in the accepted run.'),
  margin: z
    .number()
    .min(0)
    .nullish()
    .describe('With `no_worse_than`: the mean may be worse by this much, in units of the metric, and by no more.'),
  agreement: z
    .number()
    .min(0)
    .max(1)
    .nullish()
    .describe("Cohen's kappa of the metric with what people say in the labels beside the data is at least this."),
  errors: z
    .int()
    .min(0)
    .nullish()
    .describe('Rows that may lack a score because the run or the evaluator failed there; default 0.'),
  each_slice: sliceGateSchema
    .nullish()
    .describe('The same of the rows of each value of the columns that `slices` names: no group is left behind.'),
});

/** Keys of every metric; the others are those of its evaluator. */
const metricShape = {
  name: text.describe('Name in results, gates and baselines.'),
  on: text
    .nullish()
    .describe(
      'What is measured: `outputs.answer`, `node.path[0].x` (`[-1]` is the last), `agent[*]` all turns, `agent_2` one of them. Absent: the row as a whole.',
    ),
  evaluator: text.describe('What measures it; `recall@5` is `recall` with `k: 5`, `./own.py` a file of yours.'),
  expected: anything
    .optional()
    .describe('What is right: `${row.expected.ids}` or a literal; `${row.expected.<node>}` where absent.'),
  gate: gateSchema.nullish().describe('What the evaluation asks of it; exit code 1 where it is not met.'),
  description: z.string().nullish().describe('For readers.'),
};

export const metricKeys: readonly string[] = Object.keys(metricShape);

const topShape = {
  $schema: z.string().nullish().describe('Ignored.'),
  name: z.string().nullish().describe("Name of the evaluation; its folder's where absent."),
  description: z.string().nullish().describe('For readers.'),
  flow: text
    .nullish()
    .describe('Flow that is run over the data: a folder or a file, seen from the folder of this file.'),
  run: text.nullish().describe('Run that is there already, in place of `flow`: its id or its file.'),
  data: text.nullish().describe('Rows with what is expected of them, seen from the folder of this file.'),
  key: text
    .nullish()
    .describe(
      'Column (or input of the flow) that tells rows apart: rows are compared with the baseline by it, not by line.',
    ),
  column_mapping: z
    .record(z.string(), anything)
    .nullish()
    .describe(
      "Where inputs of the flow come from: `${data.column}` or a literal; the column of the input's name where absent.",
    ),
  variant: z.string().nullish().describe("One node's variant: `${ask.variant_1}`."),
  init: z.record(z.string(), anything).nullish().describe('Arguments of the class that is the flow.'),
  environment_variables: z.record(z.string(), anything).nullish().describe('Environment of the nodes.'),
  connections: z
    .record(z.string(), z.record(z.string(), z.string()))
    .nullish()
    .describe('Connections of nodes in place of the written ones: `{ask: {connection: mine}}`.'),
  slices: z
    .array(text)
    .nullish()
    .describe(
      'Columns of the data, or fields of them (`${row.lang}`, `${row.expected.kind}`): scores are told for the rows of each value too.',
    ),
  seed: z.int().min(0).nullish().describe('Of what comparisons draw; default 1.'),
};

export const topKeys: readonly string[] = [...Object.keys(topShape), 'metrics'];

/** The shape of an eval.yaml but for what belongs to evaluators. */
export const evalSchema = z.strictObject({
  ...topShape,
  metrics: z.array(z.looseObject(metricShape)).min(1).describe('What is measured.'),
});

/** JSON Schema (draft 2020-12) of an eval.yaml, for editors; schema/eval.schema.json is printed from it. */
export function evalJsonSchema(evaluators: readonly Evaluator[]): object {
  const { properties, ...schema } = z.toJSONSchema(evalSchema, { io: 'input', reused: 'inline' });
  const metrics = evaluators.map(metricJsonSchema);
  const own = { ...z.toJSONSchema(z.looseObject(metricShape), { io: 'input', reused: 'inline' }) };
  const { $schema: _draft, ...anyMetric } = own;
  const named = {
    ...anyMetric,
    properties: {
      ...anyMetric.properties,
      evaluator: { description: metricShape.evaluator.description, type: 'string', anyOf: evaluatorForms(evaluators) },
    },
  };
  return {
    $id: 'eval.schema.json',
    title: 'An evaluation: eval.yaml',
    ...schema,
    properties: {
      ...properties,
      metrics: { description: 'What is measured.', type: 'array', minItems: 1, items: { ...named, allOf: metrics } },
    },
  };
}

/** Completions for the evaluators, and any file. */
function evaluatorForms(evaluators: readonly Evaluator[]): readonly object[] {
  const names = evaluators.map(({ name, about }) => ({ const: name, description: about }));
  const withK = evaluators.filter(({ takesK }) => takesK).map(({ name }) => name);
  return [...names, { pattern: `^(${withK.join('|')})@[1-9][0-9]*$` }, { pattern: '^\\.{0,2}/.*\\.(ts|js|mjs|py)$' }];
}

function metricJsonSchema({ name, takesK, parameters, reads }: Evaluator): object {
  const { $schema: _draft, properties = {} } = z.toJSONSchema(parameters, { io: 'input', reused: 'inline' });
  const read = Object.fromEntries(reads.map((parameter) => [parameter.name, { description: parameter.about }]));
  return {
    if: { properties: { evaluator: { pattern: `^${name}${takesK ? '(@[1-9][0-9]*)?' : ''}$` } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      properties: { ...Object.fromEntries(metricKeys.map((key) => [key, true])), ...properties, ...read },
      additionalProperties: false,
    },
  };
}
