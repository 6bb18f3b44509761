import { expect, test } from 'vitest';
import { inspectPython } from '../python/inspect-python.ts';
import { inspectModule } from './inspect-module.ts';

const any = { takesAnyInput: true };

/** `a b? : type …`: names with `?` where not required; the text of each span must be the name. */
function shown(text: string, inspect: typeof inspectModule): unknown {
  const { parameters, takesAnyInput, definedFunctions } = inspect({ path: 't', text });
  if (parameters === undefined)
    return definedFunctions === undefined ? { takesAnyInput } : { takesAnyInput, definedFunctions };
  const names = parameters.map(({ name, required, type, span }) => {
    if (span === undefined || text.slice(span.start, span.end) !== name) throw new Error(`wrong span of ${name}`);
    return `${name}${required ? '' : '?'}${type === undefined ? '' : `: ${type}`}`;
  });
  return `${names.join(', ')}${takesAnyInput === true ? ' …' : ''}`;
}

test.each([
  ['export default function f({ a, b = "x, y" }: { a: string; b?: string }) {}', 'a, b?'],
  ['export default async ({ a, c }: { a: number; c?: string[] }) => a;', 'a, c?'],
  ['interface In {\n  a: number;\n  b?: string;\n}\nexport default function f({ a, b }: In) {}', 'a, b?'],
  ['type In = { a: string } & Partial<Other>;\nexport default ({ a, b }: In) => a + b;', 'a?, b?'],
  ['export default ({ a, b }: { a: string } & Other) => a + b;', 'a?, b?'],
  ['export default ({ a, ...rest }) => a;', 'a …'],
  ['export default ({ a: renamed, b }: Inputs) => b;', 'a?, b?'],
  ['// export default ({ no }) => 1\nexport default function () {}', ''],
  ['const x = `({`;\nexport async function search({ q }, { log }) {}', 'q'],
  ['export default function f(inputs) {}', any],
  ['export function a({ x }) {}\nexport function b({ y }) {}', any],
  [
    'export default functionNode({ "faq": (x) => x, search_law, async later() { return {}; }, deep: { run, parameters: {} } });',
    { ...any, definedFunctions: ['faq', 'search_law', 'later', 'deep'] },
  ],
  ['export default functionNode({ ...others });', any],
  ['export default functionNode(table);', any],
])('%s', (text, expected) => {
  expect(shown(text, inspectModule)).toEqual(expected);
});

const decorated = 'from promptflow.core import tool\n\n';

test.each([
  [
    `${decorated}@tool\ndef f(a, b: int = 3, *, c: "dict[str, int]" = {"x": (1, 2)}): pass\n\ndef other(z): pass`,
    'a, b?: int, c?',
  ],
  [
    `${decorated}@tool\nasync def f(\n    a: str,  # the (first\n    b="d,)",\n    **kw,\n) -> dict:\n    pass`,
    'a: str, b? …',
  ],
  ['def lone(question: str):\n    """def no(x)"""\n\ndef _private(y): pass', 'question: str'],
  [
    `${decorated}@tool(name="x")\ndef f(a: List[int], b: Union[int, None] = None): pass`,
    'a: List[int], b?: Union[int, None]',
  ],
  ['def a(x): pass\ndef b(y): pass', any],
  [`${decorated}class P(ToolProvider):\n    @tool\n    def f(self, x): pass`, any],
  [`${decorated}@tool\n@cached\ndef f(a): pass`, any],
  [
    'from unroll import function_node\n\nrun = function_node({\n    "faq": search_faq,\n    \'law\': search_law,\n})',
    { ...any, definedFunctions: ['faq', 'law'] },
  ],
  ['run = unroll.function_node([search_faq, search_law])', { ...any, definedFunctions: ['search_faq', 'search_law'] }],
  ['run = function_node(search_faq, search_law)', { ...any, definedFunctions: ['search_faq', 'search_law'] }],
  ['run = function_node(make_table())', any],
])('%s', (text, expected) => {
  expect(shown(text, inspectPython)).toEqual(expected);
});
