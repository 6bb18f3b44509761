/** What stands in a table under a name from outside: nothing under `constructor` or `toString`, which every object has. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
