// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping, mappingOf } from '../value/shapes.ts';
import type { SpecPath } from './flow-spec.ts';
import { isOneNode, namedEntries } from './read-sections.ts';
import { valueTypes } from './value-types.ts';

/** How what somebody wrote in another form is written, as other formats have it; undefined where nobody can tell. */
export function writtenInstead([section, name, key, ...more]: SpecPath, value: JsonValue): string | undefined {
  if (more.length > 0) return undefined;
  if (key !== undefined) return section === 'nodes' && key === 'source' ? source(value) : undefined;
  if (name === undefined) return ofSection(section, value);
  if (typeof value !== 'string') return undefined;
  const type = valueTypes.find((one) => one === value) ?? 'string';
  if (section === 'inputs') return `write \`${name}: {type: ${type}}\``;
  if (section !== 'outputs') return undefined;
  const reference = value.startsWith('${') ? value : '${node.output}';
  return `write \`${name}: {type: string, reference: "${reference}"}\``;
}

function ofSection(section: string | number | undefined, value: JsonValue): string | undefined {
  if (section === 'nodes' && isMapping(value)) {
    return `begin each node with its name, \`- name: ${nameOfFirst(value)}\`, its other keys below`;
  }
  const [first] = Array.isArray(value) ? namedEntries(value) : [];
  if (section === 'inputs') return first && `write each by its name: \`${first[0]}: {type: ${typeOf(first[1])}}\``;
  if (section !== 'outputs') return undefined;
  const [name, { reference = '${node.output}' }] = [first?.[0] ?? 'answer', mappingOf(first?.[1])];
  const isShown = typeof reference === 'string' && reference.length <= 60;
  return `write each by its name: \`${name}: {type: string, reference: "${isShown ? reference : '…'}"}\``;
}

function nameOfFirst(nodes: JsonObject): string {
  if (!isOneNode(nodes)) return Object.keys(nodes)[0] ?? '…';
  return typeof nodes['name'] === 'string' ? nodes['name'] : '…';
}

function typeOf(entry: JsonValue): string {
  const { type } = mappingOf(entry);
  return valueTypes.find((one) => one === type) ?? 'string';
}

function source(value: JsonValue): string | undefined {
  return typeof value === 'string' ? `write \`source: {type: code, path: ${value}}\`` : undefined;
}

const ofModels =
  /^(?:model|deployment_name|temperature|max_tokens|top_p|stop|seed|tools|tool_choice|functions|response_format|(?:presence|frequency)_penalty)$/;

/** A key of a node of a model that other formats have there. */
export function modelKeyInstead(type: string, key: string): string | undefined {
  if (type !== 'llm' && type !== 'agent') return undefined;
  if (ofModels.test(key)) return `"${key}" stands below \`inputs:\``;
  if (!/^(?:prompt|template|messages|system|user)$/.test(key)) return undefined;
  return 'a prompt is a file: `source: {type: code, path: ask.jinja2}`';
}
