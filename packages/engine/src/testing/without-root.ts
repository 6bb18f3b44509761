/** Does something as a user whom modes of files bind: root may search, list and read all. Whoever is no root stays who he is. */
export async function withoutRoot<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return await work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
