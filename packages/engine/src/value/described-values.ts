import type { JsonValue } from './json.ts';
import { copiedFrom, mayLiveElsewhere, RemoteValue } from './remote-value.ts';

/** What templates read in objects that live elsewhere, by the names they ask for. It ends with the value. */
const descriptions = new WeakMap<object, Map<string, JsonValue>>();

/** Asks what is in a value, at any depth, where its owner knows more of it than JSON tells; nothing where there is nothing to ask. */
export function describeValue(value: JsonValue, names: readonly string[]): Promise<unknown> | undefined {
  if (!mayLiveElsewhere() || typeof value !== 'object' || value === null) return undefined;
  const current: object = value;
  const teller = current instanceof RemoteValue ? current : copiedFrom(current);
  if (teller?.describe !== undefined) return ask(current, teller.describe(names), names);
  if (current instanceof RemoteValue || current instanceof Number) return undefined;
  const asked = Object.values(current).flatMap((member: JsonValue) => describeValue(member, names) ?? []);
  return asked.length === 0 ? undefined : Promise.all(asked);
}

async function ask(value: object, telling: ReturnType<NonNullable<RemoteValue['describe']>>, names: readonly string[]) {
  const told = await telling;
  if (!told.ok || told.value === null) return;
  const known = descriptions.get(value) ?? new Map<string, JsonValue>();
  known.set(names.join(' '), told.value);
  descriptions.set(value, known);
}

/** What was told of a value itself; undefined where nothing was. */
export function descriptionOf(value: object, names: readonly string[]): JsonValue | undefined {
  return descriptions.get(value)?.get(names.join(' '));
}
