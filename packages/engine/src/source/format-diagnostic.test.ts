import { expect, test } from 'vitest';
import type { Diagnostic } from './diagnostic.ts';
import { formatDiagnostic, formatDiagnostics } from './format-diagnostic.ts';
import type { SourceFile, Span } from './source-file.ts';

/** The source is `marked` without its brackets; the span is what stands between them. */
function spanOf(marked: string, path = 'flow.dag.yaml'): Span {
  const start = marked.indexOf('⟦');
  const end = marked.indexOf('⟧') - 1;
  return { file: { path, text: marked.replace('⟦', '').replace('⟧', '') }, start, end };
}

function diagnosticAt(span: Span): Diagnostic {
  return { severity: 'error', code: 'FLOW_UNKNOWN_KEY', message: 'unknown key', span };
}

test('a diagnostic with help and notes', () => {
  const text = 'nodes:\n- name: ask\n  inputs:\n    ⟦promt⟧: hi\n    prompt: hello\n';
  const span = spanOf(text, 'flows/ask/flow.dag.yaml');
  const diagnostic: Diagnostic = {
    ...diagnosticAt(span),
    message: 'unknown key "promt"',
    help: 'did you mean "prompt"?',
    notes: [
      { message: 'it is written here', span: { ...span, start: span.file.text.indexOf('prompt:'), end: 0 } },
      { message: 'and nowhere else' },
    ],
  };
  expect(formatDiagnostic(diagnostic)).toBe(`flows/ask/flow.dag.yaml:4:5 error FLOW_UNKNOWN_KEY unknown key "promt"
        promt: hi
        ~~~~~
    help: did you mean "prompt"?
    flows/ask/flow.dag.yaml:5:5 note: it is written here
    note: and nowhere else`);
});

const underlines: readonly { readonly name: string; readonly source: string; readonly shown: string }[] = [
  {
    name: 'wide characters before and inside',
    source: '質問: ⟦個人データ⟧ # x',
    shown: `:1:5 |質問: 個人データ # x|      ~~~~~~~~~~`,
  },
  { name: 'half-width katakana', source: 'ﾊﾟ: ⟦ｳｴ⟧', shown: ':1:5 |ﾊﾟ: ｳｴ|    ~~' },
  { name: 'an emoji is one place and two columns', source: '👍 ⟦x⟧', shown: ':1:3 |👍 x|   ~' },
  { name: 'a joined emoji is two columns', source: '👨‍👩‍👧 ⟦x⟧', shown: ':1:7 |👨‍👩‍👧 x|   ~' },
  { name: 'a combining mark takes no column', source: 'か\u3099 ⟦x⟧', shown: ':1:4 |か\u3099 x|   ~' },
  { name: 'tabs are shown as four spaces', source: '\ta:\t⟦b⟧', shown: ':1:5 |    a:    b|          ~' },
  { name: 'several lines: the first', source: 'a: ⟦one  \n  two⟧', shown: ':1:4 |a: one|   ~~~' },
  { name: 'an empty span', source: 'a: ⟦⟧b', shown: ':1:4 |a: b|   ~' },
  { name: 'the end of a line', source: 'a:⟦⟧\nb', shown: ':1:3 |a:|  ~' },
  { name: 'Windows line ends', source: 'a: 1\r\n⟦b⟧: 2\r\n', shown: ':2:1 |b: 2|~' },
  { name: 'control characters are made visible', source: 'a: \u001B[31m⟦b⟧', shown: ':1:9 |a: \uFFFD[31mb|        ~' },
  {
    name: 'a long line is cut round the words',
    source: `${'a'.repeat(200)}⟦here⟧${'b'.repeat(200)}`,
    shown: `:1:201 |…${'a'.repeat(57)}here${'b'.repeat(57)}…|${' '.repeat(58)}~~~~`,
  },
  {
    name: 'a long line is cut at its end only, when the words stand first',
    source: `⟦here⟧${'b'.repeat(200)}`,
    shown: `:1:1 |here${'b'.repeat(114)}…|~~~~`,
  },
  {
    name: 'a long line is cut at its start only, when the words stand last',
    source: `${'あ'.repeat(100)}⟦ここ⟧`,
    shown: `:1:101 |…${'あ'.repeat(57)}ここ|${' '.repeat(115)}~~~~`,
  },
];

test.for(underlines)('underlined: $name', ({ source, shown }) => {
  const lines = formatDiagnostic(diagnosticAt(spanOf(source, ''))).split('\n');
  expect(
    lines
      .map((line, index) => (index === 0 ? line.replace('error FLOW_UNKNOWN_KEY unknown key', '') : line.slice(4)))
      .join('|'),
  ).toBe(shown);
});

test('a blank line and a missing place are not underlined', () => {
  expect(formatDiagnostic(diagnosticAt(spanOf('a\n⟦⟧\nb')))).toBe(
    'flow.dag.yaml:2:1 error FLOW_UNKNOWN_KEY unknown key',
  );
  expect(formatDiagnostic({ severity: 'warning', code: 'FLOW_EMPTY', message: 'nothing\nat all' })).toBe(
    'warning FLOW_EMPTY nothing\n    at all',
  );
});

test('colours, only when asked for', () => {
  expect(formatDiagnostic(diagnosticAt(spanOf('⟦a⟧')), { color: true })).toBe(
    '\u001B[36mflow.dag.yaml:1:1\u001B[39m \u001B[31merror\u001B[39m \u001B[90mFLOW_UNKNOWN_KEY\u001B[39m unknown key\n    a\n    \u001B[31m~\u001B[39m',
  );
});

test('many: by file and place, then how many there are', () => {
  const file = { path: 'b.yaml', text: 'x y z' };
  const at = (start: number, severity: 'error' | 'warning', path = file): Diagnostic => ({
    severity,
    code: 'CODE',
    message: 'm',
    span: { file: path, start, end: start + 1 },
  });
  const list = [at(4, 'error'), at(0, 'warning'), at(2, 'error', { path: 'a.yaml', text: 'x y z' })];
  expect(formatDiagnostics(list)).toBe(`a.yaml:1:3 error CODE m
    x y z
      ~
b.yaml:1:1 warning CODE m
    x y z
    ~
b.yaml:1:5 error CODE m
    x y z
        ~
2 errors, 1 warning`);
  expect(formatDiagnostics([])).toBe('');
});

test('hundreds of mistakes in one long line: each is shown with what stands round it alone', {
  timeout: 60_000,
}, () => {
  const file: SourceFile = { path: 'f.yaml', text: `{${'"ключ": 1, '.repeat(5000)}}` };
  const at = Array.from({ length: 100 }, (_, place) => 1 + place * 55);
  const told = at.map((start) =>
    formatDiagnostic({
      severity: 'warning',
      code: 'FLOW_UNKNOWN_KEY',
      message: 'unknown',
      span: { file, start, end: start + 6 },
    }),
  );
  expect(told[50]).toMatch(/^f\.yaml:1:2752 warning FLOW_UNKNOWN_KEY unknown\n +….*…\n +~{6}$/);
  expect(Math.max(...told.map((one) => one.length))).toBeLessThan(400);
});
