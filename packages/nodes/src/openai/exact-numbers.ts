import type { JsonValue, ModelRequest } from '@unroll/engine';

/** A request as the client library writes it with every digit: it does not know numbers of more than a double holds. */
export function exactNumbers(request: ModelRequest): ModelRequest {
  return exact(request as JsonValue) as ModelRequest;
}

function exact(value: JsonValue): unknown {
  if (typeof value === 'bigint') return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value));
  if (typeof value !== 'object' || value === null || !holdsBigint(value)) return value;
  if (Array.isArray(value)) return value.map(exact);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exact(member as JsonValue)]));
}

function holdsBigint(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsBigint);
}
