/** The name of a connection as a command line takes it. */
export function quotedName(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `"${name}"`;
}
