// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import type { FlowSpec, SpecPath } from '../flow/flow-spec.ts';
import { withUsualWidth } from '../flow/full-width.ts';
import { parseReference } from '../flow/reference.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { JsonValue } from '../value/json.ts';

/** References that nobody reads: inside a longer text, a list or a mapping, in full-width characters, or without their end. */
export function checkLiterals(spec: FlowSpec): readonly Diagnostic[] {
  const known = knownNames(spec);
  return [...ofInputs(spec), ...ofOutputs(spec)].flatMap((found) => {
    const problem = problemOf(found.text, known);
    return problem === undefined ? [] : [notLookedAt(spec, found, problem)];
  });
}

/** A text of an input or output, and where what holds it stands in the flow. */
interface Text {
  readonly text: string;
  readonly path: SpecPath;
  readonly holder: SpecPath;
}

function ofInputs(spec: FlowSpec): readonly Text[] {
  return spec.nodes.flatMap((node) =>
    Object.entries(node.inputs).flatMap(([name, value]) => {
      const holder = [...node.path, 'inputs', name];
      return parseReference(value) === undefined ? textsIn(value, holder, holder) : [];
    }),
  );
}

function ofOutputs(spec: FlowSpec): readonly Text[] {
  return spec.outputs.flatMap(({ name, reference = null }) => {
    const holder = ['outputs', name, 'reference'];
    return parseReference(reference) === undefined ? textsIn(reference, holder, holder) : [];
  });
}

function textsIn(value: JsonValue, path: SpecPath, holder: SpecPath): readonly Text[] {
  if (typeof value === 'string') return [{ text: value, path, holder }];
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap((item, index) => textsIn(item, [...path, index], holder));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => textsIn(member as JsonValue, [...path, key], holder));
}

interface LiteralProblem {
  readonly message: string;
  readonly help: string;
}

function problemOf(text: string, known: KnownNames): LiteralProblem | undefined {
  const found = referencesIn(text).find((written) => isMeant(written, known));
  if (found !== undefined) {
    const place = text === found ? 'a list or mapping' : 'a longer text';
    return { message: `"${found}" stands inside ${place}`, help: wholeValue };
  }
  if (isOpen(text)) return { message: `"${text}" has no "}" at its end`, help: closed(text) };
  const reference = inOtherBraces(text, known);
  if (reference !== undefined) return { message: `"${text}" is no reference`, help: `did you mean ${reference}?` };
  const usual = withUsualWidth(text);
  const meant = usual === text ? undefined : referencesIn(usual).find((written) => isMeant(written, known));
  if (meant === undefined) return undefined;
  const help = `did you mean ${meant}?`;
  return {
    message: `a reference is written in full-width characters`,
    help: meant === usual ? help : `${help} And ${wholeValue}`,
  };
}

const wholeValue =
  'a reference is the whole value of an input or output: for more, give it to a node and put the text together there';

/** A reference as other formats and shells write it: `{{ask.output}}`, `{ask.output}`, `$ask.output`, or its name alone. */
function inOtherBraces(text: string, known: KnownNames): string | undefined {
  const [, name] = /^(?:\{\{\s*)?[${(]*([^\s${}()]+\.[^\s${}()]+)[})]*(?:\s*\}\})?$/u.exec(text) ?? [];
  const reference = `\${${name}}`;
  const isWhole = /^inputs\.|^[^.]+\.output\b/.test(name ?? '');
  return isWhole && isMeant(reference, known) ? reference : undefined;
}

/** A text that is a reference but for its end. */
function isOpen(text: string): boolean {
  return /^\$\{(inputs\.|[^\s${}.]+\.output\b)[^${}\n]*$/u.test(text);
}

function closed(text: string): string {
  return `did you mean ${text.replace(/[\])>]$/, '')}}?`;
}

function referencesIn(text: string): readonly string[] {
  return [...text.matchAll(/\$\{[^${}]+\}/g)].map(([written]) => written);
}

interface KnownNames {
  readonly inputs: ReadonlySet<string>;
  readonly nodes: ReadonlySet<string>;
}

function knownNames(spec: FlowSpec): KnownNames {
  const families = spec.nodes.flatMap(({ instance }) => (instance === undefined ? [] : [instance.family, 'loop']));
  return {
    inputs: new Set(spec.inputs.map(({ name }) => name)),
    nodes: new Set([...spec.nodes.map(({ name }) => name), ...families]),
  };
}

/** A bare `${name}` may be anything, in a shell or a script; with a section it is ours. */
function isMeant(written: string, known: KnownNames): boolean {
  const reference = parseReference(written);
  if (reference?.kind === 'flow-input') return known.inputs.has(reference.input);
  return reference !== undefined && written.includes('.') && known.nodes.has(reference.node);
}

function notLookedAt(spec: FlowSpec, { path, holder }: Text, { message, help }: LiteralProblem): Diagnostic {
  return {
    severity: 'warning',
    code: 'FLOW_REFERENCE_IN_TEXT',
    message: `${message} and is given as it is written`,
    span: spec.locate(path) ?? spec.locate(holder),
    help,
  };
}
