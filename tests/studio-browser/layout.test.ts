// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFlow } from '../../packages/cli/src/testing/flow-process.ts';
import { launchBrowser, openPage } from './studio-browser.ts';
import { createViewedWorld, type ViewedWorld } from './viewed-world.ts';

let world: ViewedWorld;
let browser: Browser;

const code = (name: string, inputs: string, more = '', file = name) =>
  `{name: ${name}, type: python, source: {type: code, path: ${file}.ts}, inputs: {${inputs}}${more}}`;

/** Names of 40 characters and more, which nothing parts. */
const long = {
  input: '利用者から受け付けた問い合わせの本文をそのまま保持するためのとても長い名前の入力',
  output: '利用者に返す最終的な回答の文章とその根拠をまとめたうえで返すための長い名前の出力',
  question: '受付した問い合わせの内容から種類を判定して振り分けるための前処理を行うノードの名',
  answer: '個人情報保護法の条文から該当する規定を検索して根拠となる文章を取り出すノードの名',
  loop: '根拠が見つかるまで検索と要約を繰り返して回答の材料を集めるための反復処理のループ',
  turn: '検索の結果から回答に使える文章だけを抜き出して次の検索語を決めるための処理の名前',
  metric: '回答の文章に漏えいという語句が含まれているかどうかを確かめるための指標の長い名前',
  latin: 'normalise_the_question_of_the_customer_and_split_it_into_parts_for_the_search_step',
};

/** `counting` takes as many turns as it is told, nine at most; `branching` has ways beside each other, one of which fails. */
const flows: Readonly<Record<string, string>> = {
  'counting/flow.dag.yaml': `inputs:
  to: {type: int}
outputs:
  said: {type: string, reference: "\${count_up.output.answer}"}
nodes:
- ${code('begin', 'to: "${inputs.to}"')}
loops:
- name: count_up
  times: 9
  state: \${begin.output}
  until: finished
  on_exhausted: unfinished
  nodes:
  - ${code('think_of_the_next_number', 'state: "${loop.state}"')}
  - ${code('act', 'state: "${loop.state}", next: "${think_of_the_next_number.output}"')}
`,
  'counting/begin.ts':
    "export const begin = ({ to }: { to: number }) => ({ at: 0, to, answer: '', finished: false });\n",
  'counting/think_of_the_next_number.ts':
    'export const think_of_the_next_number = ({ state }: { state: { at: number } }) => state.at + 1;\n',
  'counting/act.ts': `export function act({ state, next }: { state: { at: number; to: number }; next: number }) {
  return { ...state, at: next, answer: String(next), finished: next >= state.to };
}
`,
  'counting/data.jsonl': [1, 3, 12].map((to) => `{"to": ${to}}\n`).join(''),
  'branching/flow.dag.yaml': `inputs:
  text: {type: string}
outputs:
  said: {type: string, reference: "\${join.output}"}
nodes:
- ${code('kind', 'text: "${inputs.text}"')}
- ${code('by_the_text_of_the_law', 'text: "${inputs.text}"', ', activate: {when: "${kind.output}", is: law}')}
- ${code('by_faq', 'text: "${inputs.text}"', ', activate: {when: "${kind.output}", is: faq}')}
- ${code('translate', 'text: "${inputs.text}"')}
- ${code('join', 'law: "${by_the_text_of_the_law.output}", faq: "${by_faq.output}", other: "${translate.output}"')}
`,
  'branching/kind.ts': "export const kind = ({ text }: { text: string }) => (text.includes('law') ? 'law' : 'faq');\n",
  'branching/by_the_text_of_the_law.ts': `export function by_the_text_of_the_law({ text }: { text: string }) {
  if (text.includes('bad')) throw new Error('the register is not to be had');
  return text;
}
`,
  'branching/by_faq.ts': 'export const by_faq = ({ text }: { text: string }) => text;\n',
  'branching/translate.ts': 'export const translate = ({ text }: { text: string }) => text;\n',
  'branching/join.ts': "export const join = (all: object) => Object.values(all).filter(Boolean).join(' / ');\n",
  'named/flow.dag.yaml': `inputs:
  ${long.input}: {type: string}
outputs:
  ${long.output}: {type: string, reference: "\${${long.answer}.output}"}
nodes:
- ${code(long.question, `text: "\${inputs.${long.input}}"`, '', 'echo')}
- ${code(long.latin, `text: "\${inputs.${long.input}}"`, '', 'echo')}
- ${code(long.answer, `text: "\${${long.question}.output}", kind: "\${${long.latin}.output}", loop: "\${${long.loop}.output.status}"`, '', 'join')}
- ${code('begin', `to: 2, text: "\${${long.question}.output}"`)}
- {name: 記録だけを残す別の枝, type: python, source: {type: code, path: echo.ts}, inputs: {text: "\${inputs.${long.input}}"}}
loops:
- name: ${long.loop}
  times: 2
  state: \${begin.output}
  until: finished
  on_exhausted: unfinished
  nodes:
  - ${code(long.turn, 'state: "${loop.state}", next: 2', '', 'act')}
`,
  'named/begin.ts': "export const begin = ({ to }: { to: number }) => ({ at: 0, to, answer: '', finished: false });\n",
  'named/act.ts':
    'export const act = ({ state, next }: { state: object; next: number }) => ({ ...state, at: next, answer: String(next), finished: true });\n',
  'named/eval.yaml': `name: ${long.metric}
flow: .
data: data.jsonl
metrics:
- {name: ${long.metric}, on: outputs.${long.output}, evaluator: contains, expected: 漏えい, gate: {min: 0.9}}
`,
  'named/echo.ts': `export function echo({ text }: { text: string }) {
  if (text === 'fail') throw new TypeError('${'x'.repeat(200)}');
  return text;
}
`,
  'named/join.ts': "export const join = (all: object) => Object.values(all).join(' / ');\n",
  'named/data.jsonl': ['漏えい', 'fail', 'w'.repeat(300)]
    .map((text) => `${JSON.stringify({ [long.input]: text })}\n`)
    .join(''),
  'branching/data.jsonl': ['a law', 'a bad law', 'a question'].map((text) => `{"text": "${text}"}\n`).join(''),
};

/** The same with as many turns as a row of the table draws one by one. */
const eight = Object.entries(flows).flatMap(([path, text]) =>
  path.startsWith('counting/')
    ? [[path.replace('counting', 'eight'), text.replace('times: 9', 'times: 8')] as const]
    : [],
);

beforeAll(async () => {
  [world, browser] = await Promise.all([createViewedWorld(), launchBrowser()]);
  for (const [path, text] of [...Object.entries(flows), ...eight]) {
    const file = join(world.folder, 'flows', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const name of ['counting', 'eight', 'branching', 'named']) {
    await runFlow(name, name, ['counting', 'eight'].includes(name) ? 0 : 1);
  }
  writeFileSync(join(world.folder, 'flows/named/join.ts'), "export const join = () => 'another answer';\n");
  await runFlow('named', 'renamed', 1);
}, 240_000);
async function runFlow(flow: string, name: string, ends: number): Promise<void> {
  const run = ['run', `flows/${flow}`, '--data', `flows/${flow}/data.jsonl`, '--name', name, '--quiet'];
  const { code: exit, stderr } = await startFlow(run, world).ended;
  expect({ name, exit, stderr }).toMatchObject({ exit: ends });
}

afterAll(async () => {
  await browser?.close();
  world?.[Symbol.dispose]();
});

/** What text sticks out of its panel without being scrolled, boxes of nodes that lie on each other, and names that are cut. */
const misplaced = `(() => {
  const name = (one) => (one.className || one.tagName) + ': ' + one.textContent.slice(0, 40);
  const isScrolled = (one, panel) => {
    for (let at = one.parentElement; at !== null && at !== panel.parentElement; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return true;
    return false;
  };
  const seen = (one) => one.getClientRects().length > 0 && !one.closest('.unseen');
  const out = [...document.querySelectorAll('.panel')].flatMap((panel) => {
    const { left, right } = panel.getBoundingClientRect();
    return [...panel.querySelectorAll('*')].filter((one) => {
      if (!seen(one) || isScrolled(one, panel)) return false;
      return [...one.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).some((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        const box = range.getBoundingClientRect();
        return box.width > 1 && (box.right > right + 1 || box.left < left - 1);
      });
    }).map((one) => 'sticks out ' + name(one));
  });
  const boxes = [...document.querySelectorAll('.node-box')].filter(seen);
  const on = boxes.flatMap((one, at) => boxes.slice(at + 1).flatMap((other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const isApart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
    return isApart ? [] : ['lies on ' + name(one) + ' and ' + name(other)];
  }));
  const cut = [...document.querySelectorAll('.node-box .name, .node-box .figure, .node-box .second, .gate *')]
    .filter((one) => seen(one) && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 3))
    .filter((one) => getComputedStyle(one).display !== 'inline')
    .map((one) => 'is cut ' + name(one));
  const spilt = [...document.querySelectorAll('.rows-table [role=cell]')]
    .filter((one) => seen(one) && getComputedStyle(one).overflowX === 'visible' && one.scrollWidth > one.clientWidth + 1)
    .map((one) => 'is wider than its column ' + name(one));
  return [...new Set([...out, ...on, ...cut, ...spilt])].slice(0, 8);
})()`;

test.for([
  { at: '/', ready: 'guideline-first' },
  { at: '/runs/counting', ready: 'act_9' },
  { at: '/runs/eight', ready: 'act_8' },
  { at: '/runs/branching', ready: 'by_the_text_of_the_law' },
  { at: '/runs/named', ready: '記録だけを残す別の枝' },
  { at: '/runs/named?loops=folded', ready: '記録だけを残す別の枝' },
  { at: '/runs/named/rows/0/0', ready: 'Nodes in time' },
  { at: '/runs/named/rows/1/0', ready: 'Nodes in time' },
  { at: '/diff?left=named&right=renamed', ready: 'How far it goes' },
  { at: '/evaluations?path=flows/named/eval.yaml&run=named&run=renamed', ready: 'Metrics' },
  { at: '/labels?run=named', ready: 'Agreement' },
  { at: '/playground?run=named&line=0', ready: 'Run 3 rows' },
  { at: '/runs/guideline-first?against=right', ready: 'function_3' },
  { at: '/runs/guideline-first?against=right&loops=folded', ready: '4 of 6 gates fail.' },
  { at: '/runs/counting/rows/2/0', ready: 'turn 9' },
  { at: '/diff?left=right&right=guideline-first', ready: 'Rows that flipped' },
  { at: '/diff?left=right&right=guideline-first&turns=each', ready: 'Rows that flipped' },
  { at: '/evaluations?path=evals/privacy-agent/eval.yaml&run=right&run=guideline-first', ready: 'Metrics' },
  { at: '/labels?evaluation=evals/privacy-agent/eval.yaml&metric=cited&run=right', ready: 'Agreement' },
  { at: '/playground?run=right&line=4&node=agent_1', ready: 'Run 10 rows' },
])(
  '$at: nothing lies on another, sticks out or is cut, wide and narrow',
  { timeout: 120_000 },
  async ({ at, ready }) => {
    await using opened = await openPage(browser, world, at);
    const { page } = opened;
    await page.getByText(ready).first().waitFor();
    await page.waitForLoadState('networkidle');
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      // The page lays itself out once it has been told of the new width.
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect({ width, found: await page.evaluate(misplaced) }).toEqual({ width, found: [] });
    }
    const flows = `[...document.querySelectorAll('.graph, .lanes')].filter((one) => one.scrollWidth > one.clientWidth + 1)`;
    expect(await page.evaluate(`${flows}.length`)).toBe(0);
    expect(opened.complaints).toEqual([]);
  },
);

test('the list of runs counts one row and many in a narrow window', async () => {
  const run = ['run', 'flows/branching', '--input', 'text=a law', '--name', 'of-one-row'];
  expect(await startFlow(run, world).ended).toMatchObject({ code: 0 });
  await using opened = await openPage(browser, world, '/', { viewport: { width: 390, height: 900 } });
  await opened.page.getByText('of-one-row').first().waitFor();
  const counts = `[...document.querySelectorAll('.runs-table .line > .rows')].map((one) => one.textContent.trim() + ' ' + one.dataset.title)`;
  const told = (await opened.page.evaluate(counts)) as readonly string[];
  expect(told).toContain('1 row');
  expect(told.filter((one) => !/^1 row$|(?<!^1) rows$/.test(one))).toEqual([]);
});

test('a flow that branches shows in a narrow window too what leads where', async () => {
  await using opened = await openPage(browser, world, '/runs/branching', { viewport: { width: 390, height: 900 } });
  const { page } = opened;
  await page.locator('.graph.upright').getByText('by_the_text_of_the_law').first().waitFor();
  // Each line that leads into a node or out of it ends at its box, and a rail stands at its other end.
  const ways = `[...document.querySelectorAll('.graph li')].map((one) => {
    const box = one.querySelector('.node-box').getBoundingClientRect();
    const meets = (stub) => Math.abs(stub.getBoundingClientRect().right - box.left) <= 1;
    const count = (kind) => [...one.querySelectorAll('.rails .' + kind)].filter(meets).length;
    const step = one.querySelectorAll('.rails .step').length;
    return [one.querySelector('.name')?.textContent ?? one.textContent, step, count('in'), count('out')].join(' ');
  })`;
  expect(await page.evaluate(ways)).toEqual([
    'text 0 0 1',
    'kind 1 0 1',
    'by_the_text_of_the_law 1 1 1',
    'by_faq 0 2 1',
    'translate 0 1 0',
    'join 1 1 0',
    'said 1 0 0',
  ]);
  await page.setViewportSize({ width: 1440, height: 900 });
  // The panel hears of its new width a moment later.
  await page.locator('.rails .stub').first().waitFor({ state: 'hidden' });
  await page.locator('.graph .arrows').waitFor({ state: 'visible' });
});
