/** A value without the pair of quotes round it, which the command line of Windows leaves standing; as Prompt flow reads `name='value'`. */
export function withoutQuotes(value: string): string {
  return /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value;
}
