import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { minimalDocx } from '../testing/minimal-docx.ts';
import { minimalPdf } from '../testing/minimal-pdf.ts';
import { readFile } from './read-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'documents-'));
afterAll(() => rmSync(folder, { recursive: true }));
const chunks = { tokens: 400, overlap: 60 };

async function read(name: string, content: string | Uint8Array) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const { documents, problems } = await readFile(`docs/${name}`, path, bytes, chunks);
  return { documents: documents.map(({ id, title, text }) => [id.replace('docs/', ''), title, text]), problems };
}

test('Markdown: sections by heading, no heading in code, front matter left out', async () => {
  const text =
    '---\nlang: ja\n---\n# **手引き** の [a](b)\n\n前書き\n\n## 目的\n```sh\n# no heading\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
  expect(await read('a.md', text)).toEqual({
    documents: [
      ['a.md#手引き-の-a', '手引き の a', '前書き'],
      ['a.md#目的', '手引き の a > 目的', '```sh\n# no heading\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'],
    ],
    problems: [],
  });
});

test('plain text: Japanese headings and captions of articles', async () => {
  const text =
    '第1章　総則\r\n（目的）\r\n第一条　この法律は目的を定める。\r\n\r\n第二条（定義）　次のとおり。第一条の規定による。\r\n';
  expect((await read('law.txt', text)).documents).toEqual([
    ['law.txt#第一条目的', '第1章　総則 > 第一条（目的）', 'この法律は目的を定める。'],
    ['law.txt#第二条定義', '第1章　総則 > 第二条（定義）', '次のとおり。第一条の規定による。'],
  ]);
});

test('HTML: readings, scripts and navigation are left out; lists and tables are lines', async () => {
  const text = `<title>問</title><nav>menu</nav><h1>情報<ruby>漏<rp>(</rp><rt>ろう</rt></ruby></h1><script>x()</script><p>一 <b>二</b></p>
    <ul><li>甲</li><li>乙</li></ul><table><tr><td>1</td><td>2</td></tr></table><pre>a\n  b</pre>`;
  expect((await read('a.html', text)).documents).toEqual([
    ['a.html#情報漏', '情報漏', '一 二\n- 甲\n- 乙\n1 | 2\n\na\nb'],
  ]);
});

test('an HTML page without headings has its title', async () => {
  expect((await read('b.htm', '<title>題</title><p>文</p>')).documents).toEqual([['b.htm#題', '題', '文']]);
});

test('Shift_JIS is read as what it is', async () => {
  const bytes = Uint8Array.from([0x8c, 0xc2, 0x90, 0x6c, 0x8f, 0xee, 0x95, 0xf1]);
  expect((await read('sjis.txt', bytes)).documents).toEqual([['sjis.txt#1', 'sjis.txt', '個人情報']]);
});

test('a table as Word writes it: paragraphs in a cell stand on the line of its row', async () => {
  const text =
    '<table><tr><td><p>種類</p></td><td><p>期</p><p>限</p></td></tr><tr><td><p>速報</p></td><td>3日</td></tr></table><p>後</p>';
  expect((await read('c.html', text)).documents).toEqual([['c.html#1', 'c.html', '種類 | 期 限\n速報 | 3日\n\n後']]);
});

test('EUC-JP is told from Shift_JIS; a broken letter keeps no file from being read; bytes that are no text do', async () => {
  const [kojin, joho] = [
    [0xb8, 0xc4, 0xbf, 0xcd],
    [0xbe, 0xf0, 0xca, 0xf3],
  ];
  expect((await read('euc.txt', Uint8Array.from([...kojin, ...joho]))).documents).toEqual([
    ['euc.txt#1', 'euc.txt', '個人情報'],
  ]);
  const cut = Uint8Array.from([...Array.from({ length: 200 }, () => [0x8c, 0xc2]).flat(), 0x8c]);
  expect((await read('cut.txt', cut)).documents[0]?.[2]).toBe(`${'個'.repeat(200)}\ufffd`);
  const noise = Uint8Array.from({ length: 999 }, (_, at) => ((at * 7919) % 251) + 4);
  expect((await read('noise.txt', noise)).problems).toEqual([
    'its encoding is not known: expected UTF-8, UTF-16, Shift_JIS (CP932) or EUC-JP',
  ]);
});

test('CSV: by its columns, or row by row as it stands', async () => {
  expect((await read('a.csv', 'id,title,text\nq1,T,本文\n,U,二\n')).documents).toEqual([
    ['q1', 'T', '本文'],
    ['a.csv#2', 'U', '二'],
  ]);
  expect((await read('b.csv', 'name,price\nApple,3\n')).documents).toEqual([
    ['b.csv#1', 'Apple', 'name: Apple\nprice: 3'],
  ]);
});

test('PDF: Japanese without embedded fonts, headings by size, page numbers left out', async () => {
  const page = (number: number) => [
    { text: 'Running head', size: 8, y: 780 },
    ...(number === 1 ? [{ hex: '8CC2906C8FEE95F1', size: 20, y: 720 }] : []),
    { text: `Body of page ${'abc'[number - 1]}.`, size: 10, y: 690 },
    { text: `It goes on, ${'xyz'[number - 1]}.`, size: 10, y: 678 },
    { text: String(number), size: 8, y: 30 },
  ];
  expect(await read('a.pdf', minimalPdf([page(1), page(2), page(3)]))).toEqual({
    documents: [
      [
        'a.pdf#page=1',
        '個人情報',
        'Body of page a. It goes on, x.\n\nBody of page b. It goes on, y.\n\nBody of page c. It goes on, z.',
      ],
    ],
    problems: [],
  });
});

test('Word: headings by style, lists and tables', async () => {
  const bytes = await minimalDocx([
    { style: 'Heading1', text: '第1章 総則' },
    { text: '本文です。' },
    { style: 'Heading2', text: '目的' },
    { text: '目的の文。' },
  ]);
  expect((await read('a.docx', bytes)).documents).toEqual([
    ['a.docx#第1章-総則', '第1章 総則', '本文です。'],
    ['a.docx#目的', '第1章 総則 > 目的', '目的の文。'],
  ]);
});

test.for([
  { name: 'a.pdf', content: '%PDF-1.4 broken', told: 'the PDF is broken: Invalid PDF structure.' },
  {
    name: 'b.docx',
    content: 'no zip',
    told: 'it is no Word file (.docx), or a broken one',
  },
  {
    name: 'c.xyz',
    content: 'x',
    told: 'files of this kind are not read; known are .md .markdown .txt .html .htm .jsonl .json .csv .tsv .pdf .docx .tools',
  },
  { name: 'd.txt', content: ' \n', told: 'there is no text in it' },
  { name: 'deep.html', content: '<div>'.repeat(50_000), told: 'it nests deeper than can be read' },
  { name: 'd.md', content: '', told: 'there is no text in it' },
  { name: 'd.jsonl', content: '', told: 'there is no document in it' },
  { name: 'd.csv', content: 'id,text\n', told: 'there is no document in it' },
  { name: 'd.html', content: 'a\0b', told: 'it is no text' },
  { name: 'e.jsonl', content: '{"id": 1}\n', told: 'line 1 has no text (text, answer, content, body)' },
])('$name: $told', async ({ name, content, told }) => {
  expect(await read(name, content)).toEqual({ documents: [], problems: [told] });
});

test('a PDF of pictures is told', async () => {
  expect((await read('scan.pdf', minimalPdf([[]]))).problems).toEqual([
    'there is no text in it: are its pages pictures?',
  ]);
});

test('a catalogue of tools: a document a tool, called as models are told it', async () => {
  const tool = {
    name: 'Weather_now',
    api: 'Weather now',
    tool: 'Weather',
    category: 'Sky',
    description: 'Clouds.',
    parameters: { type: 'object', properties: { city: { type: 'string', description: 'a city' } } },
    queries: ['Is it raining?'],
  };
  const text = `{"unroll_tools":1,"tools":1}\n${JSON.stringify(tool)}\nno JSON\n`;
  expect(await read('a.tools', text)).toEqual({
    documents: [['Weather_now', 'Weather Weather now', 'Sky\nClouds.\ncity a city\nIs it raining?']],
    problems: ['line 3 is no tool'],
  });
  expect((await read('b.tools', '{}')).problems).toEqual(['it is no catalogue of tools']);
});
