import type { Statement } from './ast.ts';
import { pythonRepr } from './python-text.ts';
import { PyFunction, PyObject, Undefined } from './python-types.ts';
import { captured, type Frame, guardOf, type Write } from './render-state.ts';
import { type FrameLayout, firstSlot, Scope } from './scope.ts';
import { scopeNames, symbolsOf } from './scope-names.ts';
import { type Place, valueBefore } from './statement-place.ts';
import { raise } from './template-error.ts';

export function compileBlock(node: Statement & { typename: 'Block' }, place: Place): Write {
  const outside = node.scoped ? place.scope : rootOf(place.scope);
  const layout: FrameLayout = { depth: (node.scoped ? place.layout.depth : 0) + 1, size: firstSlot };
  const names = scopeNames(node.body);
  const scope = new Scope(outside, layout, names);
  const inner = { ...place, layout, scope, soft: false };
  const superSlot = symbolsOf(node.body).includes('super') ? scope.declare('super') : null;
  const entries = [...names.stored].map(
    (name) => [valueBefore(name, names, { ...inner, scope: outside }), scope.declare(name)] as const,
  );
  const write = inner.compileBody(node.body, inner);
  const levels = node.scoped ? 0 : place.layout.depth;
  const { strict } = place;
  const run = (from: Frame): string => {
    const frame: Frame = new Array(layout.size).fill(undefined);
    frame[0] = from;
    frame[1] = from[1];
    if (superSlot !== null)
      frame[superSlot] = new Undefined(`there is no parent block called ${pythonRepr(node.name)}.`, strict);
    for (const [read, slot] of entries) frame[slot] = read(frame);
    return write(frame);
  };
  place.blocks.set(node.name, run);
  return (frame) => {
    let from = frame;
    for (let up = 0; up < levels; up++) from = from[0] as Frame;
    if (node.required) raise('TemplateRuntimeError', `Required block ${pythonRepr(node.name)} not found`);
    return run(from);
  };
}

function rootOf(scope: Scope): Scope {
  return scope.parent === null ? scope : rootOf(scope.parent);
}

/** `self`: its attributes call the blocks of the template. */
export function selfObject(blocks: ReadonlyMap<string, (frame: Frame) => string>, root: Frame): PyObject {
  return new PyObject(
    'TemplateReference',
    (name) => {
      const block = blocks.get(name);
      if (block === undefined) return undefined;
      return new PyFunction(name, () => captured(block(root), guardOf(root)), 'BlockReference');
    },
    () => '<TemplateReference None>',
  );
}
