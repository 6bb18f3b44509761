import {
  didYouMean,
  eachOf,
  firstOf,
  type JsonObject,
  type JsonValue,
  type KeyedRow,
  ownValue,
  type RunReader,
  textOrJson,
} from '@unroll/engine';
import { openRecordedData } from '../bulk/recorded-data.ts';
import { ProjectFailure } from '../host/project-failure.ts';

/**
 * What each row of a run is known by: an input of the flow, else a column of the data the run was made of.
 *
 * @param id of the run, as messages name it
 * @param folder where paths of data start from, absolute
 * @throws ProjectFailure where a row has no such value, or two rows have the same
 */
export async function readKeys(
  store: RunReader,
  id: string,
  name: string,
  folder: string,
): Promise<readonly KeyedRow[]> {
  const columns = (await hasInput(store, name)) ? undefined : await readColumn(store, id, name, folder);
  const seen = new Map<string, number>();
  return await Array.fromAsync(eachOf(store.rows()), ({ line, repeat = 0, inputs }): KeyedRow => {
    const value = columns === undefined ? inputs[name] : columns.get(line);
    if (value === undefined || value === null) {
      throw new ProjectFailure(`--key ${name}: row ${line} of run ${id} has no ${name}`);
    }
    const key = textOrJson(value);
    const before = seen.get(`${repeat} ${key}`);
    if (before !== undefined) {
      throw new ProjectFailure(`--key ${name}: rows ${before} and ${line} of run ${id} are both ${key}`, {
        help: 'A key tells every row of a run apart.',
      });
    }
    seen.set(`${repeat} ${key}`, line);
    return { key, line, repeat };
  });
}

async function firstInputs(store: RunReader): Promise<JsonObject> {
  return (await firstOf(store.rows()))?.inputs ?? {};
}

async function hasInput(store: RunReader, name: string): Promise<boolean> {
  return Object.hasOwn(await firstInputs(store), name);
}

/** A column's values by line. */
async function readColumn(
  store: RunReader,
  id: string,
  name: string,
  folder: string,
): Promise<ReadonlyMap<number, JsonValue>> {
  const fail = (why: string, help?: string): ProjectFailure =>
    new ProjectFailure(`--key ${name}: run ${id} has no input "${name}", and ${why}`, { help });
  const inputs = Object.keys(await firstInputs(store));
  const inputsHelp = didYouMean(name, inputs) ?? `Its inputs: ${inputs.join(', ')}`;
  const recorded = await openRecordedData(store.info, folder);
  if (recorded === undefined) throw fail('no data file is recorded', inputsHelp);
  const { path, state } = recorded;
  if (state === 'unreadable') throw fail(`its data cannot be read: ${recorded.message}`, inputsHelp);
  if (state === 'changed') throw fail(`its data, ${path}, has changed since`, inputsHelp);
  const values = new Map<number, JsonValue>();
  for await (const row of recorded.data.rows()) {
    if ('problem' in row) continue;
    const value = ownValue(row.values, name);
    const columns = Object.keys(row.values);
    if (value === undefined)
      throw fail(`row ${row.line} of ${path} has no such column`, didYouMean(name, [...inputs, ...columns]));
    values.set(row.line, value);
  }
  return values;
}
