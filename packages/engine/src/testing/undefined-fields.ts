/**
 * Where in a value a field is there with nothing in it, which its JSON would not have: `.plan.nodes.0.retry`. Records and plans have
 * none, nor has what is told of diagnostics.
 */
export function undefinedFields(value: unknown, path = '', seen: Set<unknown> = new Set()): readonly string[] {
  if (value === undefined) return [path];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  return Object.entries(value).flatMap(([name, member]) => undefinedFields(member, `${path}.${name}`, seen));
}
