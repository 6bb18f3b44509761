/** A value of an environment variable that stands for a field of a connection. */
export interface ConnectionReference {
  readonly connection: string;
  readonly key: string;
}

/** Reads `${connection.key}`, between blanks too, exactly that form; any other value is a text. */
export function connectionReference(value: unknown): ConnectionReference | undefined {
  const [, connection, key] = typeof value === 'string' ? (form.exec(value) ?? []) : [];
  return connection === undefined || key === undefined ? undefined : { connection, key };
}

/** Why no operating system takes a variable of this name and value; undefined where it does. */
export function unsettable(name: string, value: unknown): string | undefined {
  if (name === '' || /[=\0]/.test(name)) {
    const shown = JSON.stringify(name);
    return `an environment variable cannot be called ${shown}: a name is not empty, and holds no "=" and no zero byte`;
  }
  const holdsZero = typeof value === 'string' && value.includes('\0');
  return holdsZero ? `the value of the environment variable ${name} holds a zero byte, which ends a value` : undefined;
}

const form = /^\s*\$\{([^.{}]+)\.([^.{}]+)\}\s*$/;
