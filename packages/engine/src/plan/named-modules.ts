import type { FlowSpec } from '../flow/flow-spec.ts';
import type { ImportedModule } from '../node/node-type.ts';
import type { JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';

/** Modules that a flow names to be imported before its nodes are made ready: of its inline tools, then of its nodes. */
export function namedModules(spec: FlowSpec): readonly ImportedModule[] {
  const { tools = null } = spec.otherKeys;
  const inline = Array.isArray(tools) ? (tools as readonly JsonValue[]).filter(isMapping) : [];
  return [
    ...inline.flatMap(({ name = null, module }) => named(module, `Import tool '${String(name)}' module`)),
    ...spec.nodes.flatMap(({ name, settings }) => named(settings['module'], `Import node '${name}' provider module`)),
  ];
}

function named(module: JsonValue | undefined, what: string): readonly ImportedModule[] {
  return typeof module === 'string' && module !== '' ? [{ module, what: `${what} '${module}'` }] : [];
}
