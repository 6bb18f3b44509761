/**
 * An integral number that is a float in Python's eyes: `1.0`, not `1`.
 *
 * A plain number that is integral is an int, one that is not is a float; only the floats in between need this box.
 * Arithmetic works on it as on a number; `JSON.stringify` prints it with its point (`1.0`).
 */
export class Float extends Number {
  /** Made when it is first printed: a parameter of a model is printed for every row. */
  #json: unknown;

  toJSON(): unknown {
    this.#json ??= (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(stringifyFloat(this.valueOf()));
    return this.#json;
  }
}

/** A float as it was typed, `1.10`: what is declared as a text gets those signs. */
export class TypedFloat extends Float {
  readonly typed: string;

  constructor(typed: string) {
    super(typed);
    this.typed = typed;
  }
}

/** A number, with a point or without; undefined for what is none. */
export function plainNumber(value: unknown): number | undefined {
  if (value instanceof Float) return value.valueOf();
  return typeof value === 'number' ? value : undefined;
}

/** An object with the numbers that it holds itself as `plainNumber` gives them. */
export function plainNumbers(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, plainNumber(value) ?? value]));
}

/** Python's `repr` of a finite float: shortest digits that read back, with a point or an exponent (`1.0`, `1e+16`). */
export function stringifyFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits = '', exponent = '0'] = value.toExponential().split('e');
    const sign = exponent.startsWith('-') ? '-' : '+';
    return `${digits}e${sign}${exponent.replace(/^[+-]/, '').padStart(2, '0')}`;
  }
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
