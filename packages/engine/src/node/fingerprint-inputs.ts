/**
 * What a node is made of beside its inputs, by part: `code functions.ts`, `index knowledge/faq.jsonl`, `connection`. Each a
 * digest, or the thing itself where it is short and no secret.
 */
export type FingerprintInputs = Readonly<Record<string, string>>;

/** Begins the name of a part that says what code did whose results nobody can compare: `unseen network`. */
export const unseenPart = 'unseen ';

/** What that means for a later run, in the words of `flow check` and of the run. */
export const unseenWords = 'what code reads there cannot be compared, so that flow run --since runs it again';

export const unseenHelp = 'cache: true takes its output all the same, cache: false says that it always runs';

/** What code did that nobody can compare: `network`, `child process`. */
export function unseenIn(parts: FingerprintInputs): readonly string[] {
  return Object.keys(parts).flatMap((part) => (part.startsWith(unseenPart) ? [part.slice(unseenPart.length)] : []));
}

/** What stands for a part that was one thing first and another later in the same run. */
export const changedMeanwhile = 'changed while the run went on';

/** Begins the name of a part that is a file of code: `code functions.ts`. */
export const codePart = 'code ';

/** Files of code of which a run had more than one version: workers and threads that are started later load what is there then. */
export function codeChangedIn(parts: FingerprintInputs): readonly string[] {
  return Object.entries(parts).flatMap(([part, value]) =>
    value === changedMeanwhile && part.startsWith(codePart) ? [part.slice(codePart.length)] : [],
  );
}

/** Both together; a part that is told otherwise by each of them is neither. */
export function joinFingerprintInputs(one: FingerprintInputs, other: FingerprintInputs): FingerprintInputs {
  const all: Record<string, string> = { ...one };
  for (const [part, value] of Object.entries(other)) {
    const known = all[part];
    all[part] = known === undefined || known === value ? value : changedMeanwhile;
  }
  return all;
}
