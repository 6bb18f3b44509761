/** Tells what of a request has no meaning: `x-flow-passed-over: temperature, top_p`; nothing where all has. */
export function passedOverHeader(names: readonly string[]): Readonly<Record<string, string>> {
  const written = names.map((name) => (name === '' ? '""' : name));
  const listed = written.map((name) => name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 40)).join(', ');
  return listed === '' ? {} : { 'x-flow-passed-over': listed.slice(0, 500) };
}
