import type { RowPairId } from '@unroll/engine';
import { diffValues, isCause, type NodeDiff, partNames, type RowChange } from '@unroll/evals';
import type { DiffCause, WordChange } from '../studio-contract/contract.ts';
import type { HeldDiff } from './held-diffs.ts';
import type { HeldRun } from './held-run.ts';
import type { Language } from './lens.ts';
import { wordChanges } from './value-changes.ts';

type Part = NodeDiff['causeParts'][number];

interface FoundCause {
  readonly part: Part;
  readonly nodes: NodeDiff[];
}

/** The changed definitions that show, those that show in most rows first; of prompts what became of their words. */
export async function diffCauses(sides: Sides): Promise<readonly DiffCause[]> {
  const { compared } = sides;
  const found = new Map<string, FoundCause>();
  for (const node of compared.diff.nodes.filter(isCause)) {
    for (const part of node.causeParts) {
      const key = JSON.stringify([part.part, part.left, part.right]);
      const known = found.get(key) ?? { part, nodes: [] };
      known.nodes.push(node);
      found.set(key, known);
    }
  }
  const causes = await Promise.all([...found.values()].map(async (cause) => await causeView(cause, sides)));
  return causes.toSorted((one, other) => other.rows - one.rows);
}

interface Sides {
  readonly compared: HeldDiff;
  readonly left: HeldRun;
  readonly right: HeldRun;
  readonly language: Language;
}

async function causeView({ part, nodes }: FoundCause, sides: Sides): Promise<DiffCause> {
  const { placeOf } = sides.compared.verdictOptions;
  const rowsOf = ({ kinds }: NodeDiff): number => (kinds.cause ?? 0) + (kinds.both ?? 0);
  const [first] = nodes;
  const written = first === undefined ? undefined : placeOf?.(first.instances[0] ?? first.name);
  const words = await promptWords(part, nodes, sides);
  return {
    part: partNames([{ part: part.part }], sides.language).join(''),
    nodes: nodes.map(({ name }) => name),
    rows: Math.max(...nodes.map(rowsOf)),
    ...(written === undefined ? {} : { written }),
    ...(part.left === undefined ? {} : { left: part.left }),
    ...(part.right === undefined ? {} : { right: part.right }),
    ...(words === undefined ? {} : { words }),
  };
}

/** Of a template: the message as models were sent it in the first row in which nothing but the template changed it. */
async function promptWords(
  { part }: Part,
  nodes: readonly NodeDiff[],
  { compared, left, right }: Sides,
): Promise<readonly WordChange[] | undefined> {
  if (!part.startsWith('template')) return undefined;
  const names = new Set(nodes.map(({ name }) => name));
  const isOwn = ({ of, attribution }: RowChange): boolean => names.has(of) && attribution.kind === 'cause';
  const pair = firstPair(compared, isOwn);
  const node = (pair === undefined ? [] : (compared.diff.patterns.get(pair.pattern) ?? [])).find(isOwn)?.pair.node;
  if (pair === undefined || node === undefined) return undefined;
  const messagesOf = async ({ reader }: HeldRun, { line, repeat }: RowPairId['left'], name: string) =>
    (await reader.nodes(line, repeat)).find((run) => run.node === name)?.promptMessages;
  const was = await messagesOf(left, pair.left, compared.leftName(node));
  const is = await messagesOf(right, pair.right, node);
  if (was === undefined || is === undefined) return undefined;
  const [first] = diffValues(was, is).flatMap(({ left: one, right: other }) =>
    typeof one === 'string' && typeof other === 'string' ? [[one, other] as const] : [],
  );
  return first === undefined ? undefined : wordChanges(...first);
}

function firstPair({ pairs, diff }: HeldDiff, isMeant: (change: RowChange) => boolean): RowPairId | undefined {
  const patterns = new Set([...diff.patterns].filter(([, changes]) => changes.some(isMeant)).map(([id]) => id));
  return pairs.find(({ pattern }) => patterns.has(pattern));
}
