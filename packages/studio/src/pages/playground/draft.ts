import { signal } from '@preact/signals';
import type { Edits, PlaygroundPage } from '@unroll/project/studio-contract';

/** What was edited on runs, kept while the studio is open: whoever looks at a comparison comes back to it. */
interface Draft {
  /** Texts by the path of the file. */
  readonly prompts: Readonly<Record<string, string>>;
  /** JSON by node and name. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** JSON by line and name. */
  readonly inputs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const empty: Draft = { prompts: {}, parameters: {}, inputs: {} };
const drafts = signal<Readonly<Record<string, Draft>>>({});

/** What is edited of the node, without what is as it was. */
export function editsOf(page: PlaygroundPage): Edits {
  const draft = drafts.value[page.run] ?? empty;
  const { prompt, edits: tried } = page;
  const text = prompt === undefined ? undefined : (draft.prompts[prompt.path] ?? tried.files?.[prompt.path]);
  const parameters = changed(page.parameters, draft.parameters[page.node]);
  const inputs = changed(page.inputs, draft.inputs[page.line]);
  return {
    ...(prompt === undefined || text === undefined || text === prompt.text ? {} : { files: { [prompt.path]: text } }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(inputs === undefined ? {} : { inputs }),
  };
}

function changed(
  known: PlaygroundPage['inputs'],
  drafted: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> | undefined {
  const found = known.filter(({ name, json }) => drafted[name] !== undefined && drafted[name] !== json);
  return found.length === 0 ? undefined : Object.fromEntries(found.map(({ name }) => [name, drafted[name] ?? '']));
}

export function setPrompt({ run, prompt }: PlaygroundPage, text: string): void {
  if (prompt === undefined) return;
  change(run, (draft) => ({ ...draft, prompts: { ...draft.prompts, [prompt.path]: text } }));
}

export function setParameter({ run, node }: PlaygroundPage, name: string, json: string): void {
  change(run, (draft) => ({
    ...draft,
    parameters: { ...draft.parameters, [node]: { ...draft.parameters[node], [name]: json } },
  }));
}

export function setInput({ run, line }: PlaygroundPage, name: string, json: string): void {
  change(run, (draft) => ({ ...draft, inputs: { ...draft.inputs, [line]: { ...draft.inputs[line], [name]: json } } }));
}

/** Back to what the files and the record have. */
export function revert(page: PlaygroundPage): void {
  const { run, prompt, parameters, inputs, node, line } = page;
  const asWritten = (known: PlaygroundPage['inputs']) =>
    Object.fromEntries(known.map(({ name, json }) => [name, json]));
  change(run, (draft) => ({
    prompts: prompt === undefined ? draft.prompts : { ...draft.prompts, [prompt.path]: prompt.text },
    parameters: { ...draft.parameters, [node]: asWritten(parameters) },
    inputs: { ...draft.inputs, [line]: asWritten(inputs) },
  }));
}

function change(run: string, how: (draft: Draft) => Draft): void {
  const all = drafts.peek();
  drafts.value = { ...all, [run]: how(all[run] ?? empty) };
}
