/** What was thrown, in its own words: of an error its message, and of what only looks like one, as some libraries hand on, too. */
export function thrownText(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  const message = messageOf(thrown);
  return typeof message === 'string' ? message : shown(thrown);
}

function messageOf(thrown: unknown): unknown {
  try {
    return (thrown as { readonly message?: unknown } | null | undefined)?.message;
  } catch {
    return undefined;
  }
}

/** Objects without a prototype, and proxies, cannot be made a text. */
function shown(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'something that is no error was thrown';
  }
}
