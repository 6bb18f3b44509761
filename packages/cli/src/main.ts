export async function main(_arguments: readonly string[]): Promise<void> {}
