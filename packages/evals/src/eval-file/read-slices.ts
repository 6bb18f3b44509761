// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import type { Diagnostic, JsonObject, YamlDocument } from '@unroll/engine';
import { parseSteps, type Step } from '../targets/target.ts';
import { problem } from './eval-problem.ts';
import type { SliceSpec } from './eval-spec.ts';
import { readSource } from './read-source.ts';

export interface ReadSlices {
  readonly slices: readonly SliceSpec[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The columns by which scores are told apart; each once.
 *
 * @param given in place of what the file says
 */
export function readSlices(document: YamlDocument, root: JsonObject, given: readonly string[] | undefined): ReadSlices {
  const listed = Array.isArray(root['slices']) ? root['slices'] : [];
  const inFile = read(listed, (place) => ['slices', place], document);
  if (given === undefined) return inFile;
  const { slices, diagnostics } = read(given, () => undefined, document);
  return { slices, diagnostics: [...inFile.diagnostics, ...diagnostics] };
}

type Path = readonly (string | number)[];

function read(
  written: readonly unknown[],
  pathOf: (place: number) => Path | undefined,
  document: YamlDocument,
): ReadSlices {
  const slices: SliceSpec[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [place, text] of written.entries()) {
    // What is no text is told by the shape.
    if (typeof text !== 'string' || text === '') continue;
    const path = pathOf(place);
    const steps = stepsOf(text);
    if (steps === undefined) diagnostics.push(noColumn(document, text, path));
    else slices.push({ ...namesOf(steps, text), steps, ...(path === undefined ? {} : { path }) });
  }
  const isFirst = ({ column }: SliceSpec, at: number): boolean =>
    slices.findIndex((one) => one.column === column) === at;
  return { slices: slices.filter(isFirst), diagnostics };
}

/** Of `${row.expected.kind}`, of `expected.kind`, or of a name as it stands in the data; undefined for what is no column. */
function stepsOf(text: string): readonly Step[] | undefined {
  if (/[{}]/u.test(text)) {
    const source = readSource(text);
    return 'from' in source && source.from === 'column' ? source.steps : undefined;
  }
  return parseSteps(text.startsWith('[') ? text : `.${text}`) ?? [{ kind: 'key', name: text }];
}

function namesOf(steps: readonly Step[], written: string): Pick<SliceSpec, 'column' | 'text'> {
  const [first] = steps;
  const [, reference] = /^\$\{(?:row|data)(.*)\}$/su.exec(written) ?? [];
  if (steps.length === 1 && first?.kind === 'key') {
    const { name } = first;
    return { column: name, text: /[\s.[\]]/u.test(name) ? `row['${name}']` : `row.${name}` };
  }
  const text = reference ?? (written.startsWith('[') ? written : `.${written}`);
  return { column: text.replace(/^\./u, ''), text: `row${text}` };
}

function noColumn(document: YamlDocument, text: string, path: Path | undefined): Diagnostic {
  const message = `scores are told apart by a column of the data, and "${text}" is none`;
  const help = 'a column is written ${row.name}, a field of it ${row.name.field}';
  return problem(document, 'EVAL_TARGET', message, { path, help });
}
