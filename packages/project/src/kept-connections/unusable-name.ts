const longestName = 80;

const unusable: readonly (readonly [why: string, is: (name: string) => boolean])[] = [
  ['begins or ends with a blank, or is empty', (name) => name.trim() !== name || name === ''],
  ['holds a character that cannot be typed', (name) => !name.isWellFormed() || /\p{Cc}/u.test(name)],
  ['is a path', (name) => /[/\\]/.test(name)],
  [`has more than ${longestName} characters`, (name) => name.length > longestName],
];

/** What keeps a name from being one that nodes, files and terminals can hold. */
export function unusableName(name: string): Record<'message' | 'help', string> | undefined {
  const found = unusable.find(([, is]) => is(name));
  if (found === undefined) return undefined;
  return {
    message: `${JSON.stringify(name)} is no name of a connection: it ${found[0]}`,
    help: 'for instance `my_openai`',
  };
}
