import type { FlowSpec, NodeSpec } from '../flow/flow-spec.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import type { JsonValue } from '../value/json.ts';
import { ownValue } from '../value/own-value.ts';
import { pythonRepr } from '../value/python-text.ts';

/** Most times the model of an agent may be asked. */
const maxIterations = 100;

/** What is wrong with the agents of a flow before they are laid out. */
export function checkAgents(spec: FlowSpec): readonly Diagnostic[] {
  const agents = spec.nodes.filter((node) => isAgent(node) && (node.instance?.iteration ?? 0) <= 1);
  return agents
    .map((node) => ({ ...node, name: node.instance?.family ?? node.name }))
    .flatMap((node) => [...valueMistakes(node, spec), ...placeMistakes(node, spec)]);
}

/** An agent gives a result, and no state that a loop could go on from. */
export function agentsAsLastNodes(spec: FlowSpec): readonly Diagnostic[] {
  return spec.loops.flatMap(({ name, nodes }) => {
    const last = nodes.at(-1);
    if (last === undefined || !isAgent(last)) return [];
    return [
      mistake(spec, last, 'FLOW_AGENT', ['type'], {
        message: `agent "${last.name}" is the last node of loop "${name}", which gives the next state`,
        help: `let a python node after it make the state of \`\${${last.name}.output}\`, {status, answer, function_results}`,
      }),
    ];
  });
}

export function isAgent({ type }: NodeSpec): boolean {
  return type === 'agent';
}

/** What a value of a key must be, and whether one is. */
type Rule = readonly [expected: string, isRight: (value: JsonValue) => boolean];

const oneOf = (...words: readonly string[]): Rule => [
  words.map((word) => `"${word}"`).join(' or '),
  (value) => words.includes(String(value)),
];

const isNumber = (value: JsonValue): boolean => typeof value === 'number' || (value as unknown) instanceof Number;

const rules: Readonly<Record<string, Rule>> = {
  tools: ['a list of tools, or the path of a file', (value) => typeof value === 'string' || Array.isArray(value)],
  format: oneOf('tools', 'functions', 'react'),
  max_iterations: [
    `a whole number from 0 to ${maxIterations}`,
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxIterations,
  ],
  max_time: ['a number of seconds above 0', (value) => isNumber(value) && Number(value) > 0],
  budget: ['a mapping with tokens, cost or seconds', (value) => typeof value === 'object' && value !== null],
  early_stopping: oneOf('force', 'generate'),
  handle_parsing_errors: ['true, false or a text', (value) => typeof value === 'boolean' || typeof value === 'string'],
  on_tool_error: oneOf('fail', 'feed_back'),
  tool_error_text: ['a text', (value) => typeof value === 'string'],
  unknown_tool: ['a text', (value) => typeof value === 'string'],
  match_names: oneOf('exact', 'any_case'),
  trim_intermediate_steps: ['a whole number', (value) => Number.isInteger(value)],
  return_intermediate_steps: ['true or false', (value) => typeof value === 'boolean'],
};

function valueMistakes(node: NodeSpec, spec: FlowSpec): readonly Diagnostic[] {
  return Object.entries(node.settings).flatMap(([key, value]): Diagnostic[] => {
    // A key of the author's may be called `constructor`.
    const rule = ownValue(rules, key);
    if (rule?.[1](value) !== false) return [];
    if (key === 'max_iterations' && value === null) {
      const text = { message: `agent "${node.name}" has no bound`, help: 'for instance `max_iterations: 15`' };
      return [mistake(spec, node, 'FLOW_LOOP_UNBOUNDED', [key], text)];
    }
    return [mistake(spec, node, 'FLOW_WRONG_VALUE', [key], wrongValue(node.name, key, rule[0], value))];
  });
}

function wrongValue(agent: string, key: string, expected: string, value: JsonValue): MistakeText {
  const isText = typeof value === 'string';
  const message = `"${key}" of agent "${agent}" must be ${expected}, not ${isText ? `"${value}"` : pythonRepr(value)}`;
  return { message, help: isText ? didYouMean(value, expected.match(/\w+/g) ?? []) : undefined };
}

function placeMistakes(node: NodeSpec, spec: FlowSpec): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  if (node.aggregation) {
    found.push(
      mistake(spec, node, 'FLOW_AGENT', ['aggregation'], {
        message: `agent "${node.name}" cannot be an aggregation node`,
        help: 'an agent belongs to one row',
      }),
    );
  }
  if (node.source?.path === undefined) {
    found.push(
      mistake(spec, node, 'FLOW_AGENT', ['source'], {
        message: `agent "${node.name}" has no template`,
        help: 'write `source: {type: code, path: agent.jinja2}`: what stands before the calls and their results',
      }),
    );
  }
  for (const name of ['tools', 'functions', 'scratchpad'].filter((one) => Object.hasOwn(node.inputs, one))) {
    found.push(
      mistake(spec, node, 'FLOW_AGENT', ['inputs', name], {
        message: `agent "${node.name}" gives its model "${name}" itself`,
        help: name === 'scratchpad' ? 'give the input another name' : 'write them under `tools` of the node',
      }),
    );
  }
  return found;
}

interface MistakeText {
  readonly message: string;
  readonly help?: string | undefined;
}

function mistake(spec: FlowSpec, node: NodeSpec, code: string, path: readonly string[], text: MistakeText): Diagnostic {
  return {
    severity: 'error',
    code,
    ...text,
    span: spec.locate([...node.path, ...path]) ?? spec.locate([...node.path, 'name']),
  };
}
