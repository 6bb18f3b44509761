import type { Expression, Statement } from './ast.ts';
import { compileExpression } from './compile-expression.ts';
import { compileStore, storeName } from './compile-store.ts';
import { LoopContext } from './loop-context.ts';
import { iterate, truth } from './python-values.ts';
import { spend } from './render-budget.ts';
import { captured, cleaned, type Evaluate, type Frame, guardOf, located, type Write } from './render-state.ts';
import { type FrameLayout, firstSlot, Scope } from './scope.ts';
import { scopeNames, symbolsOf, targetNames } from './scope-names.ts';
import { compileScope, innerPlace, type Place } from './statement-place.ts';

export function compileFor(node: Statement & { typename: 'For' }, place: Place): Write {
  if (node.recursive) return compileRecursive(node, place);
  const iterated = compileExpression(node.iterated, place);
  const run = compileLoop(node, place, null);
  return (frame) => run(frame, evaluateItems(frame, iterated, node), 0);
}

function evaluateItems(frame: Frame, iterated: Evaluate, node: Statement & { typename: 'For' }): readonly unknown[] {
  try {
    const value = cleaned(iterated(frame), guardOf(frame));
    return Array.isArray(value) ? value : [...iterate(value)];
  } catch (error) {
    throw located(error, node.iterated);
  }
}

type Run = (frame: Frame, items: readonly unknown[], depth0: number) => string;

/** A loop that calls itself runs in frames of its own. */
function compileRecursive(node: Statement & { typename: 'For' }, place: Place): Write {
  const iterated = compileExpression(node.iterated, place);
  const layout: FrameLayout = { depth: place.layout.depth + 1, size: firstSlot };
  const inner = { ...place, layout, scope: new Scope(place.scope, layout, scopeNames([])) };
  const holder: { run: Run | null } = { run: null };
  const start = (outside: Frame, items: readonly unknown[], depth0: number): string => {
    const frame: Frame = new Array(layout.size).fill(undefined);
    frame[0] = outside;
    frame[1] = outside[1];
    return (holder.run as Run)(frame, items, depth0);
  };
  holder.run = compileLoop(node, inner, (frame, depth0) => (args) => {
    const items = [...iterate(cleaned(args[0], guardOf(frame)))];
    return captured(start(frame[0] as Frame, items, depth0 + 1), guardOf(frame));
  });
  return (frame) => start(frame, evaluateItems(frame, iterated, node), 0);
}

function compileLoop(
  node: Statement & { typename: 'For' },
  place: Place,
  recurse: ((frame: Frame, depth0: number) => (args: readonly unknown[]) => unknown) | null,
): Run {
  const names = targetNames(node.target);
  const hasLoop = symbolsOf([node.body, node.test]).includes('loop') || node.recursive;
  const test = node.test === null ? null : compileLoopTest(node, place);
  const own = hasLoop ? new Set([...names, 'loop']) : names;
  const [inner, enter] = innerPlace(place, own, node.body);
  const store = compileStore(node.target, inner);
  const storeLoop = hasLoop ? storeName('loop', inner) : null;
  const body = inner.compileBody(node.body, inner);
  const else_ = compileScope(node.else_, place);
  const { strict } = place;
  return (frame, given, depth0) => {
    const items = test === null ? given : given.filter((item) => test(frame, item));
    if (items.length === 0) return else_(frame);
    const loop =
      storeLoop === null
        ? null
        : new LoopContext(items, depth0, strict, recurse === null ? null : recurse(frame, depth0));
    let text = '';
    for (let at = 0; at < items.length; at++) {
      enter(frame);
      if (loop !== null) {
        loop.at = at;
        storeLoop?.(frame, loop);
      }
      try {
        spend();
        store(frame, items[at]);
      } catch (error) {
        throw located(error, node.target);
      }
      text += body(frame);
    }
    return text;
  };
}

function compileLoopTest(
  node: Statement & { typename: 'For' },
  place: Place,
): (frame: Frame, item: unknown) => boolean {
  const [inner] = innerPlace(place, targetNames(node.target), []);
  const store = compileStore(node.target, inner);
  const test = compileExpression(node.test as Expression, inner);
  return (frame, item) => {
    try {
      spend();
      store(frame, item);
      return truth(test(frame));
    } catch (error) {
      throw located(error, node.test as Expression);
    }
  };
}
