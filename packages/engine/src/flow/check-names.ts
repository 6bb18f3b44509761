import type { Diagnostic } from '../source/diagnostic.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import type { SpecPath } from './flow-spec.ts';
import { nearestSpan, valueAt } from './shape-text.ts';
import type { YamlDocument } from './yaml-document.ts';

/** What JavaScript takes for something else than a name: a value that is kept under it would be lost without a word. */
const unusable = '__proto__';

/** Mappings of a flow by names, in which one is called as nothing can be. */
export function checkNames(root: JsonObject, document: YamlDocument): readonly Diagnostic[] {
  const mappings: readonly SpecPath[] = [
    ['inputs'],
    ['outputs'],
    ['environment_variables'],
    ...nodesOf(root, []),
    ...itemsOf(root['loops']).flatMap(([loop, index]) => nodesOf(loop, ['loops', index])),
  ];
  return mappings.filter((path) => holdsUnusable(root, path)).map((path) => wrongName(document, path));
}

function nodesOf(holder: JsonObject, path: SpecPath): readonly SpecPath[] {
  return itemsOf(holder['nodes']).map(([, index]) => [...path, 'nodes', index, 'inputs']);
}

function itemsOf(list: JsonValue | undefined): readonly (readonly [JsonObject, number])[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly JsonValue[]).flatMap((one, index) => (isMapping(one) ? [[one, index] as const] : []));
}

function holdsUnusable(root: JsonObject, path: SpecPath): boolean {
  const value = valueAt(root, path);
  return value !== undefined && isMapping(value) && Object.hasOwn(value, unusable);
}

function wrongName(document: YamlDocument, path: SpecPath): Diagnostic {
  const kind = path[0] === 'environment_variables' ? 'a variable' : path.at(-1) === 'inputs' ? 'an input' : 'an output';
  return {
    severity: 'error',
    code: 'FLOW_WRONG_VALUE',
    message: `${kind} cannot be called "${unusable}"`,
    span: nearestSpan(document, [...path, unusable], 'key'),
    help: 'give it another name',
  };
}
