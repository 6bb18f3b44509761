// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { loopNodes } from '../flow/all-nodes.ts';
import type { FlowSpec, LoopSpec, NodeSpec, SpecPath } from '../flow/flow-spec.ts';
import { outputPlace, parseReference } from '../flow/reference.ts';
import type { Diagnostic, Note } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import { feedBackFormInputs, feedBackInputs, isWholeState } from './feed-back-form.ts';

/** What is wrong with the loops of a flow before they are laid out; each mistake once, not once an iteration. */
export function checkLoops(spec: FlowSpec): readonly Diagnostic[] {
  if (spec.loops.length === 0) return [];
  return [
    ...reservedNames(spec),
    ...collisions(spec),
    ...spec.loops.flatMap((loop) => [
      ...stateMistakes(loop, spec),
      ...loopNodes(loop).flatMap((node) => memberMistakes(node, loop, spec)),
      ...lastNodeMistakes(loop, spec),
      ...finalizeMistakes(loop, spec),
    ]),
  ];
}

interface Name {
  readonly name: string;
  /** What the name stands for, in words. */
  readonly meaning: string;
  readonly path: SpecPath;
}

function reservedNames(spec: FlowSpec): readonly Diagnostic[] {
  const named = [...spec.nodes, ...spec.loops, ...spec.loops.flatMap(loopNodes)];
  return named
    .filter(({ name }) => name === 'loop')
    .map(({ path }) =>
      mistake(spec, 'FLOW_LOOP_RESERVED_NAME', [...path, 'name'], {
        message: 'in a flow with loops nothing may be called "loop"',
        help: '`${loop.state}` is the state of the loop a node stands in',
      }),
    );
}

/** Names that a loop makes and that something else has already; a family is told of once. */
function collisions(spec: FlowSpec): readonly Diagnostic[] {
  const taken = new Map<string, Name>();
  for (const { name, path } of spec.nodes) {
    if (!taken.has(name)) taken.set(name, { name, meaning: `node "${name}"`, path });
  }
  const reported = new Set<SpecPath>();
  const found: Diagnostic[] = [];
  for (const made of spec.loops.flatMap(namesOf)) {
    const before = taken.get(made.name);
    if (before === undefined) taken.set(made.name, made);
    else if (!reported.has(made.path)) {
      reported.add(made.path);
      found.push(collision(made, before, spec));
    }
  }
  return found;
}

function namesOf(loop: LoopSpec): readonly Name[] {
  const owner = `loop "${loop.name}"`;
  const iterations = Array.from({ length: loop.times }, (_, index) => index + 1);
  const instances = loop.nodes.flatMap(({ name, path }) => [
    { name, meaning: `node "${name}" of ${owner}`, path },
    ...iterations.map((iteration) => ({
      name: `${name}_${iteration}`,
      meaning: `iteration ${iteration} of node "${name}" of ${owner}`,
      path,
    })),
  ]);
  const { finalize } = loop;
  const last = finalize === undefined ? [] : [{ ...finalize, meaning: `the finalize node of ${owner}` }];
  return [...instances, ...last, { name: loop.name, meaning: `the result of ${owner}`, path: loop.path }];
}

function collision(made: Name, before: Name, spec: FlowSpec): Diagnostic {
  const span = spec.locate([...before.path, 'name'], 'value');
  const note: Note = { message: `"${before.name}" is ${before.meaning}`, span };
  return mistake(spec, 'FLOW_LOOP_NAME_TAKEN', [...made.path, 'name'], {
    message: `the name "${made.name}" of ${made.meaning} is taken`,
    help: 'rename one of them; a loop makes a node <name>_<iteration> of each of its nodes and one named after itself',
    notes: [note],
  });
}

function stateMistakes(loop: LoopSpec, spec: FlowSpec): readonly Diagnostic[] {
  if (loop.state === '' || outputPlace(loop.state) !== undefined) return [];
  const reference = parseReference(loop.state);
  const what =
    reference === undefined
      ? 'a literal'
      : reference.kind === 'flow-input'
        ? 'an input of the flow'
        : 'no output of a node';
  return [
    mistake(spec, 'FLOW_LOOP_STATE', [...loop.path, 'state'], {
      message: `the first state of loop "${loop.name}" is ${what}`,
      help: `let a node give {"${loop.until}": false, …} and write \`state: \${node.output}\``,
    }),
  ];
}

function memberMistakes(node: NodeSpec, loop: LoopSpec, spec: FlowSpec): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  if (node.activate !== undefined && !asksItsIteration(node, loop)) {
    found.push(
      mistake(spec, 'FLOW_LOOP_ACTIVATE', [...node.path, 'activate'], {
        message: `node "${node.name}" of loop "${loop.name}" has a condition on something else than a node before it`,
        help: 'nodes of a loop run until the loop has ended, the last one always; a condition may ask a node of the same iteration',
        part: 'key',
      }),
    );
  }
  if (node.aggregation) {
    found.push(
      mistake(spec, 'FLOW_LOOP_AGGREGATION', [...node.path, 'aggregation'], {
        message: `node "${node.name}" of loop "${loop.name}" cannot be an aggregation node`,
        help: 'a loop belongs to one row; aggregate outside of it',
      }),
    );
  }
  return [...found, ...loopReferenceMistakes(node, loop, spec)];
}

/** Whether the condition of a node asks another node of its iteration; the last one has none. */
function asksItsIteration({ name, activate }: NodeSpec, { nodes }: LoopSpec): boolean {
  const reference = parseReference(activate?.when ?? null);
  const last = nodes.at(-1)?.name;
  const others = nodes.map((node) => node.name).filter((other) => other !== name && other !== last);
  const isMember = name !== last && nodes.some((node) => node.name === name);
  return isMember && reference?.kind === 'node' && others.includes(reference.node);
}

const loopSections = ['state', 'iteration'];

function loopReferenceMistakes(node: NodeSpec, loop: LoopSpec, spec: FlowSpec): readonly Diagnostic[] {
  return Object.entries(node.inputs).flatMap(([name, value]) => {
    const reference = parseReference(value);
    if (reference?.kind !== 'node' || reference.node !== 'loop') return [];
    const isKnown = reference.section === 'state' || (reference.section === 'iteration' && reference.property === '');
    if (isKnown) return [];
    return [
      mistake(spec, 'FLOW_LOOP_REFERENCE', [...node.path, 'inputs', name], {
        message: `${String(value)} is nothing that loop "${loop.name}" has`,
        help:
          didYouMean(reference.section, loopSections) ??
          'there are `${loop.state}`, `${loop.state.property}` and `${loop.iteration}`',
      }),
    ];
  });
}

function lastNodeMistakes(loop: LoopSpec, spec: FlowSpec): readonly Diagnostic[] {
  const last = loop.nodes.at(-1);
  if (last === undefined) return [];
  if (!Object.values(last.inputs).some(isWholeState)) {
    return [
      mistake(spec, 'FLOW_LOOP_LAST_NODE', [...last.path, 'name'], {
        message: `"${last.name}", the last node of loop "${loop.name}", does not take the state`,
        help: 'bind one of its inputs to `${loop.state}`: it hands the state on when the others are bypassed',
      }),
    ];
  }
  if (loop.onError !== 'feed_back') return [];
  if (feedBackInputs(loop) === undefined) {
    return [
      mistake(spec, 'FLOW_FEED_BACK', [...loop.path, 'on_error'], {
        message: `what "${last.name}" feeds back cannot be told: which of its inputs is the state, which the message`,
        help: 'bind exactly one input to `${loop.state}` and exactly one to the output of another node of the loop',
      }),
    ];
  }
  return Object.keys(last.inputs)
    .filter((name) => feedBackFormInputs.includes(name))
    .map((name) =>
      mistake(spec, 'FLOW_FEED_BACK', [...last.path, 'inputs', name], {
        message: `with "on_error: feed_back" no input of "${last.name}" may be called "${name}"`,
        help: `the unrolled flow needs the names ${feedBackFormInputs.join(', ')}`,
        part: 'key',
      }),
    );
}

function finalizeMistakes(loop: LoopSpec, spec: FlowSpec): readonly Diagnostic[] {
  if (loop.onExhausted === 'finalize' && loop.finalize === undefined) {
    return [
      mistake(spec, 'FLOW_LOOP_FINALIZE', [...loop.path, 'on_exhausted'], {
        message: `loop "${loop.name}" has no node "finalize"`,
        help: 'give the loop a node under `finalize`, or another `on_exhausted`',
      }),
    ];
  }
  if (loop.finalize === undefined || loop.onExhausted === 'finalize') return [];
  return [
    mistake(spec, 'FLOW_LOOP_FINALIZE', [...loop.path, 'finalize'], {
      message: `node "${loop.finalize.name}" would never run: loop "${loop.name}" has "on_exhausted: ${loop.onExhausted}"`,
      help: 'write `on_exhausted: finalize`, or take the node out',
      part: 'key',
    }),
  ];
}

interface MistakeText {
  readonly message: string;
  readonly help: string;
  readonly notes?: readonly Note[];
  readonly part?: 'key' | 'value';
}

function mistake(spec: FlowSpec, code: string, path: SpecPath, { part = 'value', ...text }: MistakeText): Diagnostic {
  return { severity: 'error', code, ...text, span: spec.locate(path, part) };
}
