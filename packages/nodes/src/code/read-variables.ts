const named = /\bprocess\.env(?:\.([A-Za-z_]\w*)|\[\s*(["'`])([A-Za-z_]\w*)\2\s*\])/g;
const takenOut = /\{([^{}]*)\}\s*=\s*process\.env\b/g;

/** Names of the variables of the environment that a script reads, where it names them. */
export function readVariables(script: string): readonly string[] {
  const direct = [...script.matchAll(named)].flatMap(([, dotted, , quoted]) => dotted ?? quoted ?? []);
  const patterns = [...script.matchAll(takenOut)].flatMap(([, names = '']) => names.split(','));
  return [...direct, ...patterns.flatMap((part) => /^\s*([A-Za-z_]\w*)/.exec(part)?.[1] ?? [])];
}
