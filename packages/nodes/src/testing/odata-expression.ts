/** A row of an index. */
export type Row = Readonly<Record<string, unknown>>;

export interface OdataField {
  readonly type: string;
  readonly filterable: boolean;
}

/** A filter as a test on rows, or the sentence by which the service refuses it. */
export type ParsedOdata = { readonly matches: (row: Row) => boolean } | { readonly problem: string };

/**
 * Reads a filter of Azure AI Search (OData 4.0: `and or not`, comparisons with literals, `any` over collections), by the
 * grammar published as "OData expression syntax reference for Azure AI Search". Fields must be known and filterable, and
 * literals of the type of their field.
 */
export function parseOdata(text: string, fields: ReadonlyMap<string, OdataField>): ParsedOdata {
  try {
    const parser = new Parser(tokensOf(text), fields);
    return { matches: parser.whole() };
  } catch (error) {
    return { problem: `Invalid expression: ${(error as Error).message}` };
  }
}

const token = /\s*('(?:[^']|'')*'|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_][A-Za-z0-9_]*|[()/:,])/y;

function tokensOf(text: string): readonly string[] {
  const found: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.trimEnd().length) {
    const at = token.lastIndex;
    const [, one] = token.exec(text) ?? [];
    if (one === undefined) throw new Error(`syntax error at position ${at} in '${text}'.`);
    found.push(one);
  }
  return found;
}

type Test = (row: Row) => boolean;
type Literal = string | number | boolean | null;

class Parser {
  private readonly tokens: readonly string[];
  private readonly fields: ReadonlyMap<string, OdataField>;
  private at = 0;

  constructor(tokens: readonly string[], fields: ReadonlyMap<string, OdataField>) {
    this.tokens = tokens;
    this.fields = fields;
  }

  whole(): Test {
    const test = this.either();
    if (this.at < this.tokens.length) throw new Error(`unexpected '${this.tokens[this.at]}'.`);
    return test;
  }

  private either(): Test {
    const tests = [this.all()];
    while (this.took('or')) tests.push(this.all());
    return (row) => tests.some((test) => test(row));
  }

  private all(): Test {
    const tests = [this.one()];
    while (this.took('and')) tests.push(this.one());
    return (row) => tests.every((test) => test(row));
  }

  private one(): Test {
    if (this.took('not')) {
      const test = this.one();
      return (row) => !test(row);
    }
    if (this.took('(')) {
      const test = this.either();
      this.expect(')');
      return test;
    }
    const name = this.next();
    const field = this.field(name);
    return this.took('/') ? this.any(name, field) : this.comparison((row) => row[name], field);
  }

  private field(name: string): OdataField {
    const field = this.fields.get(name);
    if (field === undefined) throw new Error(`Could not find a property named '${name}' on type 'search.document'.`);
    if (!field.filterable) throw new Error(`'${name}' is not a filterable field.`);
    return field;
  }

  private any(name: string, { type, filterable }: OdataField): Test {
    const inner = /^Collection\((.+)\)$/.exec(type)?.[1];
    if (inner === undefined) throw new Error(`'${name}' is no collection: any cannot be applied to it.`);
    this.expect('any');
    this.expect('(');
    const members = (row: Row): readonly unknown[] => (row[name] ?? []) as readonly unknown[];
    if (this.took(')')) return (row) => members(row).length > 0;
    const variable = this.next();
    this.expect(':');
    if (this.next() !== variable) throw new Error(`expected the range variable '${variable}'.`);
    let member: unknown;
    const test = this.comparison(() => member, { type: inner, filterable });
    this.expect(')');
    return (row) =>
      members(row).some((one) => {
        member = one;
        return test(row);
      });
  }

  private comparison(read: (row: Row) => unknown, { type }: OdataField): Test {
    if (type.startsWith('Collection')) throw new Error('a collection is compared by any or all.');
    const compare = comparisons[this.next()];
    if (compare === undefined) throw new Error(`expected a comparison, not '${this.tokens[this.at - 1]}'.`);
    const literal = this.literal();
    if (literal !== null && literalTypes[typeof literal]?.includes(type) !== true) {
      throw new Error(`A binary operator with incompatible types was detected: '${type}' and '${typeof literal}'.`);
    }
    return (row) => compare((read(row) ?? null) as Literal, literal);
  }

  private literal(): Literal {
    const text = this.next();
    if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
    if (text === 'null') return null;
    if (text === 'true' || text === 'false') return text === 'true';
    const number = Number(text);
    if (Number.isNaN(number)) throw new Error(`expected a literal, not '${text}'.`);
    return number;
  }

  private took(wanted: string): boolean {
    if (this.tokens[this.at] !== wanted) return false;
    this.at += 1;
    return true;
  }

  private expect(wanted: string): void {
    if (!this.took(wanted)) throw new Error(`expected '${wanted}', not '${this.tokens[this.at] ?? 'the end'}'.`);
  }

  private next(): string {
    const text = this.tokens[this.at];
    if (text === undefined) throw new Error('unexpected end.');
    this.at += 1;
    return text;
  }
}

const literalTypes: Readonly<Record<string, readonly string[]>> = {
  string: ['Edm.String'],
  number: ['Edm.Double', 'Edm.Int32', 'Edm.Int64'],
  boolean: ['Edm.Boolean'],
};

type Compare = (left: Literal, right: Literal) => boolean;

/** A comparison of null with anything but null is false, but for `ne`. */
function ordered(compare: (left: string | number, right: string | number) => boolean): Compare {
  return (left, right) =>
    left !== null && right !== null && typeof left !== 'boolean' && typeof right !== 'boolean' && compare(left, right);
}

const comparisons: Readonly<Record<string, Compare>> = {
  eq: (left, right) => left === right,
  ne: (left, right) => left !== right,
  lt: ordered((left, right) => left < right),
  le: ordered((left, right) => left <= right),
  gt: ordered((left, right) => left > right),
  ge: ordered((left, right) => left >= right),
};
