import { declaresNoOutputs, type FlowInputSpec, isRequired, type JsonValue, ownValue, type Plan } from '@unroll/engine';

/**
 * The inputs and outputs of a flow as a TypeScript declaration, for `project.flow<Name>(…)`. An input with a default may be left out;
 * an output may be null, where nodes were bypassed.
 *
 * @param name of the flow's folder, of which the name of the interface is made
 */
export function flowTypes(name: string, plan: Pick<Plan, 'inputs' | 'outputs' | 'answersBy'>): string {
  const { inputs, outputs } = plan;
  const given = inputs.map((input) => ({
    ...input,
    key: `${propertyName(input.name)}${isRequired(input) ? '' : '?'}`,
    type: inputType(input),
  }));
  const gives = outputs.map((output) => ({
    ...output,
    key: propertyName(output.name),
    type: output.type === 'image' ? 'Json' : nullable(plainType(output.type)),
  }));
  const isOpen = declaresNoOutputs(plan);
  const all = [...[...given, ...gives].map(({ type }) => type), ...(isOpen ? ['Json'] : [])].join();
  const imported = ['FlowImage', 'Json'].filter((one) => new RegExp(String.raw`\b${one}\b`).test(all));
  return [
    '// Written by flow types: write it again when the inputs or outputs of the flow change.',
    ...(imported.length === 0 ? [] : [`import type { ${imported.join(', ')} } from '@unroll/project';`]),
    '',
    `/** What the flow ${commentText(name)} is given, and what it gives. */`,
    `export interface ${interfaceName(name)} {`,
    ...membersOf('inputs', given),
    ...(isOpen ? ['  readonly outputs: { readonly [key: string]: Json };'] : membersOf('outputs', gives)),
    '}',
    '',
  ].join('\n');
}

interface Member {
  readonly key: string;
  readonly type: string;
  readonly description?: string;
}

function membersOf(name: string, members: readonly Member[]): readonly string[] {
  if (members.length === 0) return [`  readonly ${name}: Readonly<Record<never, never>>;`];
  const lines = members.flatMap(({ key, type, description = '' }) => [
    ...(description === '' ? [] : [`    /** ${commentText(description)} */`]),
    `    readonly ${key}: ${type};`,
  ]);
  return [`  readonly ${name}: {`, ...lines, '  };'];
}

const plainTypes: Readonly<Record<string, string>> = {
  int: 'number',
  double: 'number',
  bool: 'boolean',
  string: 'string',
  secret: 'string',
  prompt_template: 'string',
  file_path: 'string',
  assistant_definition: 'string',
  list: 'readonly Json[]',
  object: '{ readonly [key: string]: Json }',
};

/** What a type does not say is any JSON: a class of Python. */
function plainType(type: string): string {
  return ownValue(plainTypes, type) ?? 'Json';
}

function nullable(type: string): string {
  return type === 'Json' ? type : `${type} | null`;
}

function inputType({ type, enum: choices = [] }: FlowInputSpec): string {
  if (choices.length > 0 && choices.every(isLiteral))
    return choices.map((one) => (typeof one === 'string' ? quoted(one) : String(one))).join(' | ');
  return type === 'image' ? 'FlowImage' : plainType(type);
}

function isLiteral(value: JsonValue): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function propertyName(name: string): string {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) ? name : quoted(name);
}

/** In single quotes. */
function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1);
  return `'${inside.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}

/** `privacy-agent` is PrivacyAgent; names of other scripts stay as they are. */
function interfaceName(name: string): string {
  const words = name.split(/[^\p{ID_Continue}]+|_+/u).filter((word) => word !== '');
  const capitalized = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^\p{ID_Start}/u.test(capitalized) ? capitalized : `Flow${capitalized}`;
}

/** On one line, and without what would end the comment. */
function commentText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim();
}
