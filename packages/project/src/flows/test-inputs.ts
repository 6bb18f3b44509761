import {
  didYouMean,
  type FlowInputSpec,
  isInputError,
  type JsonObject,
  type NodeError,
  type Plan,
} from '@unroll/engine';
import { bindTestInputs } from '@unroll/promptflow';
import { ProjectFailure } from '../host/project-failure.ts';

/**
 * The inputs of one row, defaults filled in; a chat without a history has an empty one.
 *
 * @throws ProjectFailure when inputs are missing, or the flow cannot be run on one row
 */
export function testInputs(plan: Plan, given: JsonObject): JsonObject {
  const bound = bindTestInputs(plan, given);
  if (bound.ok) return bound.inputs;
  if (bound.missing.length === 0) throw refusal(bound.error);
  throw missingInputs(plan.inputs.filter(({ name }) => bound.missing.includes(name)));
}

/** Warnings for inputs the flow does not have, each with the nearest it has. */
export function unknownInputs(given: JsonObject, known: readonly string[]): readonly string[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const help = didYouMean(name, known) ?? (known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`);
      return `there is no input "${name}": ${help}`;
    });
}

/** All required inputs that were not given, in one failure. */
export function missingInputs(missing: readonly FlowInputSpec[]): ProjectFailure {
  const lines = missing.map(({ name, type, description }) =>
    [`  --input "${name}=…"`, `(${type})`, description ?? ''].join(' ').trimEnd(),
  );
  const names = missing.map(({ name }) => `"${name}"`).join(', ');
  const isOne = missing.length === 1;
  return new ProjectFailure(isOne ? `the input ${names} is missing` : `the inputs ${names} are missing`, {
    help: `Give ${isOne ? 'it' : 'them'} with\n${lines.join('\n')}\nor all at once with --inputs FILE (JSON).`,
    code: 'InputNotFound',
  });
}

/** What keeps one row from being run: a value that does not fit, or the form of a flow that runs on many rows alone. */
function refusal(error: NodeError): ProjectFailure {
  const { code, message } = error;
  if (isInputError(error)) return new ProjectFailure(`the inputs cannot be read: (${code}) ${message}`, { code });
  return new ProjectFailure(`the flow cannot be run on one row: (${code}) ${message}`, {
    help: 'Give it `nodes`, each with a `name`; flow init makes a flow to start from.',
  });
}
