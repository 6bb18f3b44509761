import { didYouMean, type KeyedRow, printJson, type RowRun, type RunStore, type Value } from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';

/**
 * What each row is known by: an input of the flow.
 *
 * @throws CommandFailure where a row has no such input, or two rows have the same
 */
export function* readKeys(store: RunStore, name: string): Generator<KeyedRow> {
  const seen = new Map<string, number>();
  for (const row of store.rows()) {
    const { line, repeat = 0 } = row;
    const value = keyOf(store, row, name);
    const key = typeof value === 'string' ? value : printJson(value);
    const place = `${repeat} ${key}`;
    const before = seen.get(place);
    if (before !== undefined) {
      throw new CommandFailure(`--key ${name}: rows ${before} and ${line} of run ${store.info.id} are both ${key}`, {
        help: 'A key tells every row of a run apart.',
      });
    }
    seen.set(place, line);
    yield { key, line, repeat };
  }
}

function keyOf({ info }: RunStore, { inputs, line }: RowRun, name: string): Value {
  const value = inputs[name];
  if (value !== undefined && value !== null) return value;
  throw new CommandFailure(`--key ${name}: row ${line} of run ${info.id} has no input "${name}"`, {
    help: didYouMean(name, Object.keys(inputs)) ?? `Its inputs: ${Object.keys(inputs).join(', ')}`,
  });
}
