/** `value` with `digits` decimals, half to even on its exact binary value (JavaScript's toFixed rounds half up). */
export function fixed(value: number, digits: number): string {
  if (digits > 100) return `${fixed(value, 100)}${'0'.repeat(digits - 100)}`;
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`;
  const text = value.toFixed(digits);
  const exact = Math.abs(value) < 1e15 ? value.toFixed(Math.min(100, digits + 60)) : text;
  const tail = exact.slice(exact.indexOf('.') + 1 + digits);
  const isHalf = exact.includes('.') && /^50*$/.test(tail);
  if (!isHalf) return Object.is(value, -0) && !text.startsWith('-') ? `-${text}` : text;
  const cut = exact.slice(0, exact.indexOf('.') + (digits > 0 ? 1 + digits : 0));
  return Number(cut.at(-1)) % 2 === 0 ? cut : text;
}
