/** A value of an environment variable that stands for a field of a connection. */
export interface ConnectionReference {
  readonly connection: string;
  readonly key: string;
}

/** Reads `${connection.key}`, exactly that form; any other value is a text. */
export function connectionReference(value: unknown): ConnectionReference | undefined {
  const [, connection, key] = typeof value === 'string' ? (form.exec(value) ?? []) : [];
  return connection === undefined || key === undefined ? undefined : { connection, key };
}

const form = /^\$\{([^.{}]+)\.([^.{}]+)\}$/;
