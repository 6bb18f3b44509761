/** Maps keyed by the identity of an object that may stay: what is kept belongs to a value that never changes, or to one of the platform. */
const allowed: Readonly<Record<string, string>> = {
  'packages/engine/src/source/source-file.ts': 'where the lines of a text begin',
  'packages/engine/src/value/remote-value.ts':
    'what a value was before it was copied, where its owner knows more of it',
  'packages/engine/src/value/described-values.ts': 'what its owner told of a value, as long as there is the value',
  'packages/nodes/src/agent/open-once.ts': 'the tools that settings of a node name, which never change',
  'packages/nodes/src/cassette/nearest-call.ts': 'the words of a recorded request',
  'packages/nodes/src/lookup/open-index.ts': 'the words of an index that is open',
  'packages/nodes/src/python-objects/originals.ts': 'what an output was before it was copied',
  'packages/nodes/src/http/limited-handler.ts': 'the body of a response that the SDK of AWS throws away',
  'packages/nodes/src/openai/error-bodies.ts': 'the body of a response that the SDK of openai throws away',
};

/**
 * State that hangs on the identity of an object, as `file: why`. What belongs to a row or to a flow has a slot there
 * (engine/node/scope-slots.ts).
 */
export function weakMapsIn(file: string, text: string): readonly string[] {
  if (!/new Weak(?:Map|Set)\b/.test(text) || file in allowed) return [];
  return [`${file}: keep it in a slot of the row or of the flow (ScopeSlot), not in a WeakMap`];
}

/** Files that are allowed one and have none. */
export function needlesslyAllowed(texts: ReadonlyMap<string, string>): readonly string[] {
  return Object.keys(allowed).filter((file) => !/new Weak(?:Map|Set)\b/.test(texts.get(file) ?? ''));
}
