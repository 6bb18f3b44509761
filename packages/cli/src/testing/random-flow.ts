import type { RandomSource } from './random-source.ts';

/** A flow as it was thought up, before it is written as files; an edit makes another one. */
export interface FlowDraft {
  readonly nodes: readonly NodeDraft[];
  readonly loop: LoopDraft | undefined;
  readonly rows: readonly RowDraft[];
  /** What the helper modules add; of one the leaf of what it imports. */
  readonly helpers: Readonly<Record<HelperKind, number>>;
  readonly documents: readonly string[];
  readonly tone: string;
  /** Where the model is asked. */
  readonly modelPath: string;
  /** Text of files that nothing reads, and of comments. */
  readonly idle: number;
  readonly isReversed: boolean;
}

export interface RowDraft {
  readonly id: string;
  readonly q: string;
  readonly n: number;
}

export interface NodeDraft {
  readonly name: string;
  readonly kind: 'code' | 'python' | 'prompt' | 'llm' | 'lookup' | 'sum' | 'begin';
  /** Names of nodes before it, or of inputs of the flow. */
  readonly reads: readonly string[];
  readonly helper: HelperKind | undefined;
  /** A constant in its code or template. */
  readonly salt: number;
  readonly literal: number;
  /** Model or how many hits. */
  readonly setting: number;
  /** Fails for rows with this `n`. */
  readonly failsOn: number | undefined;
  readonly activate: { readonly on: string; readonly is: number } | undefined;
  readonly readsLine: boolean;
  readonly waits: boolean;
}

export interface LoopDraft {
  readonly name: string;
  readonly times: number;
  readonly reads: string;
  readonly salt: number;
  readonly helper: HelperKind;
}

/** How a helper comes to its constant. */
export const helperKinds = [
  'plain',
  'again',
  'json',
  'dynamic',
  'file',
  'folder',
  'package',
  'alias',
  'variable',
  'secret',
  'computed',
] as const;
export type HelperKind = (typeof helperKinds)[number];

const words = ['同意', '委託', '第三者提供', 'consent', 'purpose'];

export function randomFlow(random: RandomSource, options: { readonly python: boolean }): FlowDraft {
  const nodes: NodeDraft[] = [];
  const count = 3 + random.below(5);
  const loop: LoopDraft | undefined = random.chance(40)
    ? { name: 'around', times: 1 + random.below(3), reads: 'begin', salt: 1, helper: random.pick(helperKinds) }
    : undefined;
  if (loop !== undefined) nodes.push({ ...plain, name: 'begin', kind: 'begin', reads: ['inputs.n'] });
  for (let at = 0; at < count; at += 1) nodes.push(randomNode(random, at, nodes, loop, options));
  if (random.chance(40)) nodes.push({ ...plain, name: 'sum', kind: 'sum', reads: [nodes.at(-1)?.name ?? ''] });
  return {
    nodes,
    loop,
    rows: Array.from({ length: 2 + random.below(5) }, (_, at) => randomRow(random, at)),
    helpers: Object.fromEntries(helperKinds.map((kind) => [kind, random.below(3)])) as Record<HelperKind, number>,
    documents: ['consent is needed', 'purpose may change', '同意が要ります'],
    tone: 'polite',
    modelPath: 'v1',
    idle: 0,
    isReversed: false,
  };
}

export function randomRow(random: RandomSource, at: number): RowDraft {
  return { id: `r${at}`, q: random.pick(words), n: random.below(4) };
}

const plain: Omit<NodeDraft, 'name' | 'kind' | 'reads'> = {
  helper: undefined,
  salt: 1,
  literal: 1,
  setting: 1,
  failsOn: undefined,
  activate: undefined,
  readsLine: false,
  waits: false,
};

function randomNode(
  random: RandomSource,
  at: number,
  before: readonly NodeDraft[],
  loop: LoopDraft | undefined,
  { python }: { readonly python: boolean },
): NodeDraft {
  const sources = [...before.map(({ name }) => name), ...(loop === undefined ? [] : [loop.name])];
  const kinds = ['code', 'code', 'code', 'prompt', 'llm', 'llm', 'lookup', ...(python ? (['python'] as const) : [])];
  const kind = random.pick(kinds) as NodeDraft['kind'];
  const code = before.filter((node) => node.kind === 'code');
  return {
    name: `n${at}`,
    kind,
    reads: randomReads(random, sources),
    salt: random.below(3),
    literal: random.below(3),
    setting: 1 + random.below(2),
    activate: code.length > 0 && random.chance(25) ? { on: random.pick(code).name, is: random.below(3) } : undefined,
    ...(kind === 'code' ? randomCode(random) : noCode),
  };
}

function randomReads(random: RandomSource, sources: readonly string[]): readonly string[] {
  const reads = new Set([random.chance(60) || sources.length === 0 ? 'inputs.q' : random.pick(sources)]);
  if (random.chance(60)) reads.add(sources.length === 0 || random.chance(20) ? 'inputs.n' : random.pick(sources));
  return [...reads];
}

const noCode = { helper: undefined, failsOn: undefined, readsLine: false, waits: false };

function randomCode(random: RandomSource): Pick<NodeDraft, keyof typeof noCode> {
  return {
    helper: random.chance(60) ? random.pick(helperKinds) : undefined,
    failsOn: random.chance(15) ? random.below(4) : undefined,
    readsLine: random.chance(10),
    waits: random.chance(30),
  };
}
