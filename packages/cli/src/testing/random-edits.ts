import { type FlowDraft, type HelperKind, helperKinds, type NodeDraft, randomRow } from './random-flow.ts';
import type { RandomSource } from './random-source.ts';

/** A flow after an edit, with what the edit is about. */
export interface Edited {
  readonly what: string;
  readonly draft: FlowDraft;
  /** Names of nodes, or of the loop, whose definition is another one. */
  readonly direct: readonly string[];
  /** No node may run again for it. */
  readonly isHarmless: boolean;
  readonly renamed?: { readonly from: string; readonly to: string };
}

type Edit = (draft: FlowDraft, random: RandomSource) => Edited | undefined;

/** One edit of a kind that the flow has room for. */
export function randomEdit(draft: FlowDraft, random: RandomSource): Edited {
  for (;;) {
    const edited = random.pick(edits)(draft, random);
    if (edited !== undefined) return edited;
  }
}

const edits: readonly Edit[] = [
  ...helperKinds.map((kind) => editHelper(kind)),
  editNode('salt', isEditable),
  editNode('salt', ({ kind }) => kind === 'prompt' || kind === 'llm'),
  editNode('literal', isEditable),
  editNode('setting', ({ kind }) => kind === 'llm' || kind === 'lookup'),
  editLoop('salt'),
  editLoop('times'),
  (draft) => ({ what: 'idle', draft: { ...draft, idle: draft.idle + 1 }, direct: [], isHarmless: true }),
  (draft) => ({ what: 'order', draft: { ...draft, isReversed: !draft.isReversed }, direct: [], isHarmless: true }),
  (draft) => ({
    what: 'tone',
    draft: { ...draft, tone: `${draft.tone}!` },
    direct: [...namesOf(draft, ({ kind }) => !['prompt', 'llm', 'lookup'].includes(kind)), ...loopName(draft)],
    isHarmless: false,
  }),
  (draft) => ({
    what: 'model path',
    draft: { ...draft, modelPath: `${draft.modelPath}x` },
    direct: namesOf(draft, ({ kind }) => kind === 'llm'),
    isHarmless: false,
  }),
  (draft, random) => ({
    what: 'documents',
    draft: { ...draft, documents: [...draft.documents, random.pick(['consent twice', '委託'])] },
    direct: namesOf(draft, ({ kind }) => kind === 'lookup'),
    isHarmless: false,
  }),
  (draft, random) => {
    const at = random.below(draft.rows.length);
    const rows = draft.rows.map((row, line) => (line === at ? { ...randomRow(random, line), id: row.id } : row));
    return { what: `row ${at}`, draft: { ...draft, rows }, direct: [], isHarmless: false };
  },
  (draft) => ({ what: 'row order', draft: { ...draft, rows: draft.rows.toReversed() }, direct: [], isHarmless: false }),
  editActivate,
  renameNode,
];

function isEditable({ kind }: NodeDraft): boolean {
  return kind !== 'lookup' && kind !== 'sum' && kind !== 'begin';
}

function editHelper(kind: HelperKind): Edit {
  return (draft) => {
    const used = namesOf(draft, ({ helper }) => helper === kind);
    const direct = [...used, ...(draft.loop?.helper === kind ? [draft.loop.name] : [])];
    const helpers = { ...draft.helpers, [kind]: draft.helpers[kind] + 1 };
    return { what: `helper ${kind}`, draft: { ...draft, helpers }, direct, isHarmless: direct.length === 0 };
  };
}

function editNode(key: 'salt' | 'literal' | 'setting', fits: (node: NodeDraft) => boolean): Edit {
  return (draft, random) => {
    const names = namesOf(draft, fits);
    if (names.length === 0) return undefined;
    const name = random.pick(names);
    const nodes = draft.nodes.map((node) => (node.name === name ? { ...node, [key]: node[key] + 1 } : node));
    return { what: `${key} of ${name}`, draft: { ...draft, nodes }, direct: [name], isHarmless: false };
  };
}

function editLoop(key: 'salt' | 'times'): Edit {
  return (draft) => {
    const { loop } = draft;
    if (loop === undefined) return undefined;
    return {
      what: `${key} of the loop`,
      draft: { ...draft, loop: { ...loop, [key]: loop[key] + 1 } },
      direct: [loop.name],
      isHarmless: false,
    };
  };
}

function editActivate(draft: FlowDraft, random: RandomSource): Edited | undefined {
  const names = namesOf(draft, ({ activate }) => activate !== undefined);
  if (names.length === 0) return undefined;
  const name = random.pick(names);
  const nodes = draft.nodes.map((node) =>
    node.name === name && node.activate !== undefined
      ? { ...node, activate: { ...node.activate, is: (node.activate.is + 1) % 3 } }
      : node,
  );
  return { what: `activate of ${name}`, draft: { ...draft, nodes }, direct: [name], isHarmless: false };
}

function renameNode(draft: FlowDraft, random: RandomSource): Edited | undefined {
  const from = random.pick(namesOf(draft, ({ kind }) => kind !== 'sum' && kind !== 'begin'));
  const to = `${from}b`;
  const named = (name: string): string => (name === from ? to : name);
  const nodes = draft.nodes.map((node) => ({
    ...node,
    name: named(node.name),
    reads: node.reads.map(named),
    activate: node.activate === undefined ? undefined : { ...node.activate, on: named(node.activate.on) },
  }));
  const loop = draft.loop === undefined ? undefined : { ...draft.loop, reads: named(draft.loop.reads) };
  return {
    what: `name of ${from}`,
    draft: { ...draft, nodes, loop },
    direct: [],
    isHarmless: true,
    renamed: { from, to },
  };
}

function namesOf({ nodes }: FlowDraft, fits: (node: NodeDraft) => boolean): readonly string[] {
  return nodes.filter(fits).map(({ name }) => name);
}

function loopName({ loop }: FlowDraft): readonly string[] {
  return loop === undefined ? [] : [loop.name];
}
