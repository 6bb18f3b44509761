import { type JsonObject, type NodeError, type NodeRun, preventsRun, type RowRun } from '@unroll/engine';
import { promptFlowError } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { readExactCases } from './case-file.ts';
import { type CaseFlow, type CaseRun, runCaseFlow } from './run-case-flow.ts';

interface DagCase {
  readonly id: string;
  readonly why: string;
  readonly flow: CaseFlow;
  readonly inputs: JsonObject;
  readonly expected: Expected;
}

interface Expected {
  readonly topological_order?: readonly string[];
  readonly status: 'Completed' | 'Failed' | 'Invalid';
  readonly outputs?: JsonObject;
  readonly error?: CaseError;
  readonly nodes?: Readonly<Record<string, { readonly error?: CaseError }>>;
}

interface CaseError {
  readonly type: string;
  readonly message: string;
}

test.for(readExactCases<DagCase>('s1_dag.jsonl'))('$id: $why', async ({ flow, inputs, expected }) => {
  const run = await runCaseFlow(flow, inputs);
  expect(resultOf(run)).toEqual(expected);
});

/** A run in the form of the cases. */
function resultOf(run: CaseRun): unknown {
  if (run.row === undefined) return refusal(run);
  const { row, nodes } = run;
  return {
    topological_order: run.checked.plan?.nodes.map((node) => node.name),
    status: row.status,
    ...(row.error === undefined ? { outputs: row.outputs } : { error: errorOf(row.error) }),
    nodes: Object.fromEntries(nodes.map((node) => [node.node, nodeResult(node)])),
  };
}

function refusal({ checked }: CaseRun): unknown {
  const mistakes = checked.diagnostics.filter(preventsRun);
  const [first] = mistakes.flatMap((mistake) => promptFlowError(mistake) ?? []);
  if (first === undefined)
    return { status: 'Invalid', diagnostics: mistakes.map(({ code, message }) => ({ code, message })) };
  return { status: 'Invalid', error: { type: first.code, message: first.message } };
}

function nodeResult({ status, inputs, output, error }: NodeRun): unknown {
  return {
    status,
    ...(inputs === undefined ? {} : { inputs }),
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error: errorOf(error) }),
  };
}

function errorOf({ code, message }: NodeError | NonNullable<RowRun['error']>): unknown {
  return { type: code, message };
}
