import { expect, test } from 'vitest';
import { compareResults } from '../compare-scores/compare-results.ts';
import type { EvalResult } from '../eval-result/eval-result.ts';
import { judgeBaseline } from '../judge-gates/judge-baseline.ts';
import { agentMade, madeResult } from '../testing/index.ts';
import { escapeMarkup, valueText } from './markup.ts';
import { toneOfNode } from './node-tones.ts';
import { scoreText, signedText } from './score-text.ts';
import { stringifyJunit } from './stringify-junit.ts';
import { stringifyMarkdown } from './stringify-markdown.ts';

const run = (id: string, digest: string) => ({
  run: {
    id,
    flow: 'privacy_agent',
    startedAt: Date.UTC(2026, 10, 21, 6, 45),
    made: agentMade({ 'faq.jsonl': digest }),
  },
});
const found = (scores: string) => [
  { name: 'first|tool', node: 'agent_1', on: 'agent_1.name', scores: '11111111' },
  { name: '検索', node: 'function_1', on: 'function_1.results', scores },
  { name: 'unread', on: 'outputs.answer', scores: '--------' },
];
const failing = {
  node: 'function_1',
  kind: '検索',
  rows: 7,
  examples: [
    { line: 0, repeat: 0, expected: ['faq-001'], actual: 'a `b` | <c>\u0000' },
    { line: 3, repeat: 1, reason: 'RateLimitError: slow down' },
  ],
};

function broken(): EvalResult {
  const before = madeResult(found('11111111'), run('before', 'a'.repeat(32)));
  const after = madeResult(found('00000001'), { ...run('after', 'b'.repeat(32)), firstBad: [failing] });
  const isHeld = (name: string) => (name === 'unread' ? undefined : { noWorseThan: 'baseline' as const });
  return judgeBaseline(compareResults(before, after), isHeld);
}

test('Markdown for a pull request', () => {
  expect(stringifyMarkdown(broken())).toBe(`### ❌ privacy-agent

1 of 2 gates fails: 検索. Of 2 metrics compared with the baseline: 1 worse, 1 the same in every row. First bad node: function\\_1 (検索 is worse in 7 rows). Cause: function (data faq.jsonl changed).

| metric | measured at | mean | 95 % interval | scored | baseline | difference | verdict | gate |
| --- | --- | --: | --- | --: | --: | --: | --- | --- |
| first\\|tool | \`agent_1\` | 100 % | 67.6 % … 100 % | 8 | 100 % | ±0 | same | ✅ no worse than baseline |
| 検索 | \`function_1\` | 12.5 % | 2.2 % … 47.1 % | 8 | 100 % | −87.5 points | **worse** (p = 0.03); 0 fixed, 7 broken | ❌ no worse than baseline |
| unread | \`outputs.answer\` | – |  | 0 | – |  | not compared |  |

- **検索**: significantly worse: 100 % → 12.5 % over 8 rows (−87.5 points, 95 % interval −98.2 points to −15.2 points, p = 0.03; 0 fixed, 7 broken)

**Got worse first at**

- \`function_1\`: 検索 is worse in 7 rows (rows 0, 1, 2, 3, 4, 5, 6); cause: \`function\`

**Definitions that changed**

- \`function\`: data faq.jsonl changed

<details><summary>function_1: 検索 (7 failing rows)</summary>

- row 0: expected \`[ "faq-001" ]\`; actual \`\` a \`b\` \\| <c>\u0000 \`\`
- row 3/1: RateLimitError: slow down

</details>

<sub>run \`after\`, 8 rows; baseline \`before\`</sub>
`);
});

function timed(result: EvalResult): EvalResult {
  const metrics = result.metrics.map((metric) => (metric.name === '検索' ? { ...metric, durationMs: 1530 } : metric));
  return { ...result, run: { ...result.run, durationMs: 4200 }, metrics };
}

test('JUnit XML: a test case a metric, failing rows in the failure', () => {
  expect(stringifyJunit(timed(broken()))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="privacy-agent" tests="3" failures="1" errors="0" skipped="1" time="4.2">
  <testsuite name="privacy-agent" tests="3" failures="1" errors="0" skipped="1" time="4.2" timestamp="2026-11-21T06:45:00">
    <properties>
      <property name="run" value="after"/>
      <property name="flow" value="privacy_agent"/>
      <property name="rows" value="8"/>
      <property name="baseline" value="before"/>
    </properties>
    <testcase classname="privacy-agent.agent_1" name="first|tool" time="0">
      <system-out>mean 100 %, 95 % interval 67.6 % to 100 %, 8 scores</system-out>
    </testcase>
    <testcase classname="privacy-agent.function_1" name="検索" time="1.53">
      <failure message="significantly worse: 100 % → 12.5 % over 8 rows (−87.5 points, 95 % interval −98.2 points to −15.2 points, p = 0.03; 0 fixed, 7 broken)" type="no worse than baseline">significantly worse: 100 % → 12.5 % over 8 rows (−87.5 points, 95 % interval −98.2 points to −15.2 points, p = 0.03; 0 fixed, 7 broken)
First bad node: function_1 (検索 is worse in 7 rows).
Cause: function (data faq.jsonl changed).

function_1, 検索: 7 rows
row 0
  expected: [
  &quot;faq-001&quot;
]
  actual: a \`b\` | &lt;c&gt;\uFFFD
row 3, repetition 1
  reason: RateLimitError: slow down</failure>
      <system-out>mean 12.5 %, 95 % interval 2.2 % to 47.1 %, 8 scores</system-out>
    </testcase>
    <testcase classname="privacy-agent.outputs.answer" name="unread" time="0">
      <skipped message="nothing is scored (8 no expectation)"/>
    </testcase>
    <system-out>1 of 2 gates fails: 検索.
Of 2 metrics compared with the baseline: 1 worse, 1 the same in every row.
First bad node: function_1 (検索 is worse in 7 rows).
Cause: function (data faq.jsonl changed).</system-out>
  </testsuite>
</testsuites>
`);
});

test.for([
  [0.9375, { kind: 'pass' }, '93.8 %', '+93.8 points'],
  [0.0667, { kind: 'number' }, '0.0667', '+0.0667'],
  [-0.5, {}, '-0.5', '−0.5'],
  [1703.4, { unit: 'tokens' }, '1,703 tokens', '+1,703 tokens'],
  [0.00123456, { unit: 'USD' }, '$0.00123', '+$0.00123'],
  [-0.005, { unit: 'USD' }, '-$0.005', '−$0.005'],
  [1500, { unit: 'ms' }, '1.50 s', '+1.50 s'],
  [0, { kind: 'pass' }, '0 %', '±0'],
  [0.0003, { kind: 'pass' }, '0.03 %', '+0.03 points'],
  [-0.00004, { kind: 'pass' }, '-0.004 %', '−0.004 points'],
] as const)('%d as a score and as a difference', ([value, metric, score, signed]) => {
  expect([scoreText(value, metric), signedText(value, metric)]).toEqual([score, signed]);
});

test('values: breaks in texts of JSON are breaks, long ones are cut off, lone surrogates and control characters replaced', () => {
  expect(valueText(['a\nb', 'c\\n'])).toBe('[\n  "a\nb",\n  "c\\\\n"\n]');
  expect(valueText('x'.repeat(2005))).toBe(`${'x'.repeat(2000)}… 5 more characters`);
  expect(valueText(undefined)).toBeUndefined();
  expect(escapeMarkup('<&">\u0007\ud800')).toBe('&lt;&amp;&quot;&gt;\uFFFD\uFFFD');
});

test.for([
  ['a gate that fails', { scores: '1111', gate: { rule: 'min 1', passed: false, reason: '' } }, 'bad'],
  ['nine of ten', { scores: '1111111110' }, 'good'],
  ['three of four', { scores: '1110' }, 'fair'],
  ['half', { scores: '10' }, 'bad'],
  ['half, within its gate', { scores: '10', gate: { rule: 'min 0.4', passed: true, reason: '' } }, 'fair'],
  ['an amount', { scores: [1200, 1300], unit: 'tokens' }, 'unmeasured'],
  [
    'an amount within its gate',
    { scores: [1200], unit: 'tokens', gate: { rule: 'max 2000', passed: true, reason: '' } },
    'good',
  ],
  ['nothing scored', { scores: '--' }, 'unmeasured'],
] as const)('the colour of a node: %s', ([, metric, tone]) => {
  const result = madeResult([{ name: 'm', node: 'agent_1', ...metric }]);
  expect(toneOfNode(result, ['agent', 'agent_1']).tone).toBe(tone);
  expect(toneOfNode(result, ['other']).tone).toBe('unmeasured');
});
