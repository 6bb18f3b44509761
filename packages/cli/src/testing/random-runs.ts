import { join } from 'node:path';
import { allOf, type NodeRun, openSqliteRunReader, type RowRun, type RunReader } from '@unroll/engine';
import type { Edited } from './random-edits.ts';
import type { FlowDraft } from './random-flow.ts';
import type { TestWorld } from './test-io.ts';
import { draftFiles, draftVariables } from './write-draft.ts';
import { writeFiles } from './write-files.ts';

/** Runs a draft from a folder of its own: a process looks at the modules of a folder once. */
export async function runDraft(
  world: TestWorld,
  draft: FlowDraft,
  name: string,
  modelUrl: string,
  more: readonly string[] = [],
): Promise<void> {
  writeFiles(join(world.folder, name), draftFiles(draft, modelUrl));
  Object.assign(process.env, draftVariables(draft));
  const argv = ['run', `${name}/flow`, '--data', `${name}/rows.jsonl`, '--name', name, '--runs-dir', 'runs', '--json'];
  const { code, stderr, stdout } = await world.flow(...argv, ...more);
  if (code > 1) throw new Error(stderr + stdout);
}

export interface Recorded {
  readonly nodes: ReadonlyMap<string, NodeRun>;
  readonly rows: readonly Pick<RowRun, 'line' | 'repeat' | 'status' | 'outputs'>[];
  readonly metrics: unknown;
}

export async function recorded(world: TestWorld, name: string): Promise<Recorded> {
  await using store = openSqliteRunReader(join(world.folder, 'runs', `${name}.run`));
  return await readRecorded(store);
}

export async function readRecorded(store: RunReader): Promise<Recorded> {
  const records = await allOf(store.records());
  const rows = records.map(({ row }) => row);
  const nodes = records.flatMap(({ row: { line, repeat = 0 }, nodes: ofRow }) =>
    ofRow.map((node) => [`${line}/${repeat} ${node.node}`, node] as const),
  );
  return {
    nodes: new Map(nodes),
    rows: rows.map(({ line, repeat = 0, status, outputs }) => ({ line, repeat, status, outputs })),
    metrics: await store.metrics(),
  };
}

/**
 * What has to be the same in two runs of the same flow, one of which took outputs from a third or was killed on its way.
 * Of a row that failed, nodes beside the one that failed may have come first or not: the row's status counts, and what
 * completed in both.
 */
export function sharedRecords(one: Recorded, other: Recorded): readonly [unknown, unknown] {
  const failed = new Set(
    one.rows.filter(({ status }) => status !== 'Completed').map(({ line, repeat }) => `${line}/${repeat}`),
  );
  const isCounted = (place: string): boolean => {
    if (!failed.has(place.split(' ')[0] ?? '')) return true;
    return one.nodes.get(place)?.status === 'Completed' && other.nodes.get(place)?.status === 'Completed';
  };
  return [shownOf(one, isCounted), shownOf(other, isCounted)];
}

function shownOf({ nodes, rows, metrics }: Recorded, isCounted: (place: string) => boolean): unknown {
  const shown = [...nodes]
    .filter(([place]) => isCounted(place))
    .map(([place, { status, inputs, output, error, fingerprint, promptMessages }]) => {
      return { place, status, inputs, output, error: error?.message, fingerprint, promptMessages };
    });
  return { rows, metrics, nodes: shown.toSorted((one, two) => one.place.localeCompare(two.place)) };
}

/** Nodes that ran although the earlier run holds what they gave, and what their code reads is the same. */
export function needless(since: Recorded, before: Recorded, { direct, draft }: Edited): readonly string[] {
  const isDirect = (node: string): boolean =>
    direct.includes(node) || (draft.loop !== undefined && node.startsWith('step_') && direct.includes(draft.loop.name));
  const known = new Set(
    [...before.nodes.values()]
      .filter(({ status }) => status === 'Completed')
      .map(({ node, fingerprint }) => `${node} ${fingerprint}`),
  );
  return [...since.nodes]
    .filter(
      ([, { status, cache, node, fingerprint }]) =>
        status === 'Completed' && cache !== 'hit' && known.has(`${node} ${fingerprint}`) && !isDirect(node),
    )
    .map(([place]) => place);
}

/** Nodes that ran in rows that completed: in one that fails, the earlier run may have stopped sooner. */
export function ran({ nodes, rows }: Recorded): readonly string[] {
  const completed = new Set(
    rows.filter(({ status }) => status === 'Completed').map(({ line, repeat }) => `${line}/${repeat}`),
  );
  return [...nodes]
    .filter(([place, { status, cache }]) => {
      return status === 'Completed' && cache !== 'hit' && completed.has(place.split(' ')[0] ?? '');
    })
    .map(([place]) => place);
}

interface DiffJson {
  readonly nodes: readonly { readonly name: string; readonly kinds: Readonly<Record<string, number>> }[];
  readonly differing_rows: readonly {
    readonly left: { readonly line: number; readonly repeat: number };
    readonly right: { readonly line: number; readonly repeat: number };
    readonly nodes: readonly { readonly node: string; readonly kind: string }[];
    readonly other_nodes: readonly { readonly node: string; readonly kind: string }[];
  }[];
}

/** Changes that are told otherwise than the edit and the records say. */
export async function wronglyReported(
  world: TestWorld,
  edited: Edited,
  before: Recorded,
  after: Recorded,
): Promise<readonly string[]> {
  const told = await reportedKinds(world, edited);
  return placesOf(before, after, edited).flatMap(({ key, left, right }) => {
    const kind = told.get(key) ?? 'none';
    const expected = expectedKinds(edited, left, right);
    return expected.includes(kind) ? [] : [`${key}: ${kind}, not ${expected.join(' or ')}`];
  });
}

/** Of each place that is told to differ, why. */
async function reportedKinds(world: TestWorld, { renamed }: Edited): Promise<ReadonlyMap<string, string>> {
  const rename = renamed === undefined ? [] : ['--rename', `${renamed.from}=${renamed.to}`];
  const argv = [
    'diff',
    'before',
    'after',
    '--runs-dir',
    'runs',
    '--key',
    'id',
    '--rows',
    '1000',
    '--by-iteration',
    '--json',
  ];
  const { stdout, stderr } = await world.flow(...argv, ...rename);
  if (stdout === '') throw new Error(stderr);
  const diff = JSON.parse(stdout) as DiffJson;
  return new Map(
    diff.differing_rows.flatMap(({ left, right, nodes, other_nodes: others }) =>
      [...nodes, ...others].map(
        ({ node, kind }) => [`${left.line} ${right.line}/${right.repeat} ${node}`, kind] as const,
      ),
    ),
  );
}

function expectedKinds({ direct, draft }: Edited, left: NodeRun | undefined, right: NodeRun): readonly string[] {
  const shown = (run: NodeRun | undefined): string => JSON.stringify([run?.status, run?.output, run?.error?.message]);
  if (shown(left) === shown(right)) return ['none'];
  // Beside a node that fails, what comes first is chance.
  if (left?.status === 'NotRun' || right.status === 'NotRun') return ['noise', 'cause', 'both', 'effect', 'input'];
  const { node, inputs } = right;
  const isInLoop = draft.loop !== undefined && node.startsWith('step_') && direct.includes(draft.loop.name);
  const isMoved = draft.nodes.some((one) => one.name === node && one.readsLine) && left?.line !== right.line;
  const also = isMoved ? ['cause'] : [];
  if (!direct.includes(node) && !isInLoop) return ['effect', 'input', ...also];
  return JSON.stringify(inputs) === JSON.stringify(left?.inputs) ? ['cause'] : ['cause', 'both', 'effect', 'input'];
}

/** Nodes of the later run, each with what it was before; rows keep their ids wherever they stand. */
function placesOf(before: Recorded, after: Recorded, { draft, renamed }: Edited) {
  return [...after.nodes.values()].flatMap((right) => {
    const { line, repeat = 0, node } = right;
    const earlier = Number(draft.rows[line]?.id.slice(1));
    const nameBefore = node === renamed?.to ? renamed.from : node;
    if (node === 'sum') return [];
    const left = before.nodes.get(`${earlier}/${repeat} ${nameBefore}`);
    return [{ key: `${earlier} ${line}/${repeat} ${node}`, left, right }];
  });
}
