// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import type { DataRow, RunNode } from '@unroll/engine';
import { expect, test } from 'vitest';
import { evaluators } from '../evaluators/evaluators.ts';
import { checkDerived } from '../score-run/derived-metric.ts';
import { checkColumns } from './check-columns.ts';
import { checkEval } from './check-eval.ts';
import { findMissingColumns } from './find-columns.ts';
import { parseEval } from './parse-eval.ts';

const nodes: readonly RunNode[] = [
  { name: 'agent_1', kind: 'llm', loop: 'search', family: 'agent', iteration: 1 },
  { name: 'agent_2', kind: 'llm', loop: 'search', family: 'agent', iteration: 2 },
  { name: 'retrieve', kind: 'lookup' },
];
const measurable = { nodes, outputs: ['answer'], inputs: ['query'] };

async function* rows(): AsyncGenerator<DataRow> {
  yield { line: 0, values: { query: 'q', expected: { ids: ['a'] } } };
}

/** Each mistake as `what is underlined | message | help`. */
async function mistakesIn(text: string): Promise<readonly string[]> {
  const { partial, diagnostics } = parseEval({ path: 'eval.yaml', text }, { evaluators });
  const further =
    partial === undefined
      ? []
      : [
          ...checkDerived(partial),
          ...checkEval(partial, measurable, await findMissingColumns(partial, rows())),
          ...(await checkColumns(partial, measurable, rows())),
        ];
  return [...diagnostics, ...further].map(({ message, span, help = '' }) => {
    const underlined = span === undefined ? 'no place' : span.file.text.slice(span.start, span.end);
    return `${underlined} | ${message} | ${help}`;
  });
}

const subject = 'flow: f\ndata: d.jsonl\n';
const onAnswer = (more: string): string => `${subject}metrics:\n- {name: a, on: outputs.answer, ${more}}\n`;
const forms = 'for instance outputs.answer, agent_1.function_call.name, hits[-1].id, function[*]';

test.for<[name: string, text: string, mistakes: readonly string[]]>([
  ['empty', '', [' | an evaluation is a mapping of keys such as flow, data, metrics; this is empty | ']],
  ['a comment alone', '# a\n', [' | an evaluation is a mapping of keys such as flow, data, metrics; this is empty | ']],
  ['a text', 'hello', ['hello | an evaluation is a mapping of keys such as flow, data, metrics; this is "hello" | ']],
  ['no metrics', subject, ['flow: f | the evaluation lacks the key "metrics" | ']],
  ['no metric', `${subject}metrics: []\n`, ['[] | metrics must be a list of at least 1, not an empty list | ']],
  ['metrics by name', `${subject}metrics: {a: 1}\n`, ['{a: 1} | metrics must be a list, not a mapping | ']],
  [
    'a metric that is a text',
    `${subject}metrics: [recall]\n`,
    ['recall | metric 1 must be a mapping, not "recall" | '],
  ],
  [
    'a gate of each slice without slices',
    onAnswer('evaluator: equals, expected: x, gate: {each_slice: {min: 0.5}}'),
    [
      'each_slice | the gate of metric "a" asks something of each slice, and there is none | name the columns that tell rows apart at the top of the file: slices: [lang]',
    ],
  ],
  [
    'a gate of each slice that asks for nothing, and one that asks for too much',
    `${subject}slices: [query]\nmetrics:\n- {name: a, on: outputs.answer, evaluator: equals, expected: x, gate: {each_slice: {rows: 5}}}\n- {name: b, on: outputs.answer, evaluator: equals, expected: x, gate: {each_slice: {mni: 5, max: 90}}}\n- {name: c, on: outputs.answer, evaluator: equals, expected: x, gate: {each_slice: {min: 90}}}\n`,
    [
      'mni | unknown key "mni" in "gate.each_slice" of metric "b" | did you mean "min"?',
      '5 | the gate of metric "a" asks nothing of a slice | give it min, max or no_worse_than: baseline',
      '90 | min 90 cannot be met: the scores of metric "c" are 0 to 1 | 90 % is written 0.9',
    ],
  ],
  [
    'slices that are no list of texts',
    `${subject}slices: lang\nmetrics:\n- {name: a, on: outputs.answer, evaluator: equals, expected: x}\n`,
    ['lang | slices must be a list, not "lang" | '],
  ],
  [
    'slices by what is no column',
    `${subject}slices: [1, quer, "\${row.expected.idz}", "\${outputs.answer}"]\nmetrics:\n- {name: a, on: outputs.answer, evaluator: equals, expected: x}\n`,
    [
      '1 | slices.0 must be a text, not 1 | ',
      '"${outputs.answer}" | scores are told apart by a column of the data, and "${outputs.answer}" is none | a column is written ${row.name}, a field of it ${row.name.field}',
      'quer | no row of the data has row.quer | did you mean "query"?',
      '"${row.expected.idz}" | no row of the data has row.expected.idz | did you mean "ids"?',
    ],
  ],
  [
    'misspelt keys',
    'flwo: f\ndata: d\nmetrics:\n- {name: a, on: outputs.answer, evaluater: equals, expected: x}\n',
    [
      'evaluater | metric "a" lacks the key "evaluator" | did you mean "evaluator" by "evaluater"?',
      'flwo | unknown key "flwo" | did you mean "flow"?',
    ],
  ],
  [
    'without an evaluator, and with one that there is not, what is wrong beside it',
    `${subject}metrics:\n- {name: a, on: outputs.anser, expcted: "\${row.x}", gat: {min: 1}, weight: 2}\n- {name: b, on: outputs.answer, evaluator: equal, expectd: x}\n- {nam: c, evaluater: equals}\n`,
    [
      '{name: a, on: outputs.anser, expcted: "${row.x}", gat: {min: 1}, weight: 2} | metric "a" lacks the key "evaluator" | ',
      'nam | metric 3 lacks the key "name" | did you mean "name" by "nam"?',
      'evaluater | metric 3 lacks the key "evaluator" | did you mean "evaluator" by "evaluater"?',
      'equal | unknown evaluator "equal" | did you mean "equals"?',
      'expcted | unknown key "expcted" in metric "a" | did you mean "expected"?',
      'gat | unknown key "gat" in metric "a" | did you mean "gate"?',
      'expectd | unknown key "expectd" in metric "b" | did you mean "expected"?',
      'outputs.anser | the flow has no output "anser" | did you mean "answer"?',
    ],
  ],
  [
    '"metrics" misspelt',
    `${subject}metricks: []\n`,
    ['metricks | the evaluation lacks the key "metrics" | did you mean "metrics" by "metricks"?'],
  ],
  [
    '"expected" misspelt',
    onAnswer('evaluator: equals, expectd: x'),
    ['expectd | equals has no parameter "expectd" (metric "a") | did you mean "expected"?'],
  ],
  [
    'an evaluator misspelt',
    onAnswer('evaluator: equal, expected: x'),
    ['equal | unknown evaluator "equal" | did you mean "equals"?'],
  ],
  [
    'parameters that are read, of another type',
    `${subject}metrics:
- {name: a, on: outputs.answer, expected: x, evaluator: ndcg_returned_only@5, corpus: 2490}
- {name: b, on: outputs.answer, expected: x, evaluator: ndcg_returned_only@5, corpus: all of them}
- {name: c, on: outputs.answer, evaluator: quote_in_sources, sources: true}
- {name: d, on: outputs.answer, evaluator: flow, flow: j, inputs: [x]}
- {name: e, on: outputs.answer, expected: x, evaluator: pairwise, flow: j, between: [a, b], inputs: 3}
- {name: f, on: outputs.answer, evaluator: quote_in_sources, sources: "\${retrieve}"}
- {name: g, on: outputs.answer, evaluator: quote_in_sources, sources: ["\${retrieve}", x]}
`,
    [
      '2490 | "corpus" of metric "a" must be a list, not 2490 | ',
      'all of them | "corpus" of metric "b" must be a list, not "all of them" | a column of the data is written ${row.name}',
      'true | "sources" of metric "c" must be a text, a list or a mapping, not True | ',
      '[x] | "inputs" of metric "d" must be a mapping, not a list | ',
      '3 | "inputs" of metric "e" must be a mapping, not 3 | ',
    ],
  ],
  [
    'no number after @',
    onAnswer('evaluator: recall@five, expected: x'),
    ['recall@five | unknown evaluator "recall@five" | after @ stands a number: recall@5'],
  ],
  [
    'a file in another language',
    onAnswer('evaluator: own.rb'),
    ['own.rb | unknown evaluator "own.rb" | a file of yours that measures ends in .py, .ts, .js or .mjs'],
  ],
  [
    'a family misspelt',
    `${subject}metrics:\n- {name: a, on: "agnt[*]", evaluator: steps_used}\n`,
    ['"agnt[*]" | the flow has no node "agnt" | did you mean "agent[*]"?'],
  ],
  [
    'a turn that is not there',
    `${subject}metrics:\n- {name: a, on: agent_9, evaluator: equals, expected: x}\n`,
    ['agent_9 | the flow has no node "agent_9" | did you mean "agent_1"?'],
  ],
  [
    'an output misspelt',
    `${subject}metrics:\n- {name: a, on: outputs.anser, evaluator: equals, expected: x}\n`,
    ['outputs.anser | the flow has no output "anser" | did you mean "answer"?'],
  ],
  [
    'row misspelt',
    onAnswer('evaluator: equals, expected: "${rwo.expected.ids}"'),
    ['"${rwo.expected.ids}" | the flow has no node "rwo" | did you mean "row"?'],
  ],
  [
    'a column misspelt',
    onAnswer('evaluator: equals, expected: "${row.expected.idz}"'),
    ['"${row.expected.idz}" | no row of the data has row.expected.idz | did you mean "ids"?'],
  ],
  [
    'a reference without dollar and quotes',
    onAnswer('evaluator: equals, expected: {row.expected.ids}'),
    [
      '{row.expected.ids} | "expected" of metric "a" is a mapping of one key: {row.expected.ids: null} | a reference is written "${row.expected.ids}", with the dollar and in quotes',
    ],
  ],
  [
    'a gate that is a number',
    onAnswer('evaluator: equals, expected: x, gate: 0.9'),
    ['0.9 | "gate" of metric "a" must be a mapping, not 0.9 | '],
  ],
  [
    'a gate with all its bounds commented out',
    `${subject}metrics:\n- name: a\n  on: outputs.answer\n  evaluator: equals\n  expected: x\n  gate:\n    # min: 0.9\n- {name: b, on: outputs.answer, evaluator: equals, expected: x, gate: {min: null}}\n`,
    [
      ' | the gate of metric "a" asks for nothing | give it min, max, no_worse_than: baseline, agreement or each_slice',
      '{min: null} | the gate of metric "b" asks for nothing | give it min, max, no_worse_than: baseline, agreement or each_slice',
    ],
  ],
  [
    'a baseline misspelt',
    onAnswer('evaluator: equals, expected: x, gate: {no_worse_than: basline}'),
    ['basline | "gate.no_worse_than" of metric "a" must be "baseline", not "basline" | '],
  ],
  [
    'on that cannot be read is told once',
    `${subject}metrics:\n- {name: a, on: outputs answer, evaluator: equals, expected: x}\n- {name: b, on: 5, evaluator: equals, expected: x}\n`,
    [
      '5 | "on" of metric "b" must be a text, not 5 | ',
      `outputs answer | "on" of metric "a" cannot be read: "outputs answer" | ${forms}`,
    ],
  ],
  [
    'attempts at another metric, told beside another mistake',
    `${subject}metrics:\n- {name: rigth, on: outputs.answer, evaluator: equals, expected: x}\n- {name: b, evaluator: pass@2, of: right}\n- {name: c, on: outputs.answer, evaluator: equal, expected: x}\n`,
    [
      'equal | unknown evaluator "equal" | did you mean "equals"?',
      'right | metric "b" is of "right", and there is no such metric | did you mean "rigth"?',
    ],
  ],
  [
    'a key that is no column',
    `${onAnswer('evaluator: equals, expected: x')}key: qeury\n`,
    ['qeury | the key "qeury" is no column of the data and no input of the flow | did you mean "query"?'],
  ],
  [
    'columns and inputs of the mapping',
    `${onAnswer('evaluator: equals, expected: x')}column_mapping: {qurey: "\${data.query}", query: "\${data.qury}"}\n`,
    [
      'qurey | the flow has no input "qurey" | did you mean "query"?',
      '"${data.qury}" | no row of the data has "qury" | did you mean "query"?',
    ],
  ],
  ...(
    [
      ['min: 95', '95', 'min 95 cannot be met: the scores of metric "a" are 0 to 1', '95 % is written 0.95'],
      ['min: 2.5', '2.5', 'min 2.5 cannot be met: the scores of metric "a" are 0 to 1', '2.5 % is written 0.025'],
      ['min: 200', '200', 'min 200 cannot be met: the scores of metric "a" are 0 to 1', ''],
      ['max: -1', '-1', 'max -1 cannot be met: the scores of metric "a" are 0 to 1', ''],
      ['max: 5', '5', 'max 5 lets everything pass: the scores of metric "a" are 0 to 1', '5 % is written 0.05'],
      [
        'no_worse_than: baseline, margin: 5',
        '5',
        'margin 5 lets everything pass: the scores of metric "a" are 0 to 1',
        '5 % is written 0.05',
      ],
      ['agreement: 80', '80', '"gate.agreement" of metric "a" must be at most 1, not 80', ''],
      ['min: 0.9%', '0.9%', '"gate.min" of metric "a" must be a number, not "0.9%"', '0.9 % is written 0.009'],
      ['min: 90%', '90%', '"gate.min" of metric "a" must be a number, not "90%"', '90 % is written 0.9'],
      ['min: "0.9"', '"0.9"', '"gate.min" of metric "a" must be a number, not "0.9"', 'write it without quotes: 0.9'],
      ['minimum: 0.9', 'minimum', 'unknown key "minimum" in "gate" of metric "a"', 'did you mean "min"?'],
    ] as const
  ).map(([gate, place, message, help]): [string, string, string[]] => [
    `a gate {${gate}}`,
    onAnswer(`evaluator: equals, expected: x, gate: {${gate}}`),
    [`${place} | ${message} | ${help}`],
  ]),
  [
    'agreement with labels, asked of numbers and of nodes',
    `${subject}metrics:\n- {name: a, on: outputs.answer, evaluator: rouge_l, expected: x, gate: {agreement: 0.6}}\n- {name: b, on: retrieve, evaluator: equals, expected: x, gate: {agreement: 0.7}}\n`,
    [
      '0.6 | metric "a" has no agreement with labels: people say of outputs that they pass or fail | ask it of a metric of an output that passes or fails rows',
      '0.7 | metric "b" has no agreement with labels: people say of outputs that they pass or fail | ask it of a metric of an output that passes or fails rows',
    ],
  ],
  [
    'a bound of a number that has none, and of one between 0 and 1',
    `${subject}metrics:\n- {name: a, evaluator: latency, gate: {max: 5000}}\n- {name: b, on: outputs.answer, evaluator: rouge_l, expected: x, gate: {min: 40}}\n`,
    ['40 | min 40 cannot be met: the scores of metric "b" are 0 to 1 | 40 % is written 0.4'],
  ],
  ...(
    [
      ['{{ row.expected.ids }}', 'row.expected.ids'],
      ['{row.expected.ids}', 'row.expected.ids'],
      ['${row.expected.ids', 'row.expected.ids'],
      ['the id ${row.expected.ids}', 'row.expected.ids'],
    ] as const
  ).map(([written, meant]): [string, string, string[]] => [
    `a text "${written}"`,
    onAnswer(`evaluator: equals, expected: "${written}"`),
    [
      `"${written}" | "expected" of metric "a" is a text that is compared as it stands: "${written}" | a reference is the whole text, with the dollar and closed: "\${${meant}}"`,
    ],
  ]),
  ['a text with braces of its own', onAnswer('evaluator: equals, expected: "{a.b} ${x} {{ y }}"'), []],
  [
    'a key that only begins right',
    'flow: f\ndataset: d\nmetrics:\n- {name: a, on: outputs.answer, evaluator: equals, expected: x}\n',
    ['dataset | unknown key "dataset" | did you mean "data"?'],
  ],
  [
    'a bound on turns that nothing can miss',
    `${subject}metrics:\n- {name: a, on: "agent[*]", evaluator: steps_used, gate: {min: -1}}\n`,
    ['-1 | min -1 lets everything pass: the scores of metric "a" are 0 and more | '],
  ],
  [
    'turns of what is no loop',
    `${subject}metrics:\n- {name: a, on: outputs.answer, evaluator: steps_used}\n- {name: b, on: retrieve, evaluator: finished_at}\n`,
    [
      'outputs.answer | steps_used measures turns of a loop, and "outputs.answer" is none | name its turns: agent[*]',
      'retrieve | finished_at measures turns of a loop, and "retrieve" is none | name its turns: agent[*]',
    ],
  ],
  [
    'attempts at a metric that is a number',
    `${subject}metrics:\n- {name: a, on: retrieve, evaluator: recall@3, expected: x}\n- {name: b, evaluator: pass@2, of: a}\n- {name: c, evaluator: pass@2, of: b}\n`,
    [
      'a | metric "b" counts passes of "a", which is a number and neither passes nor fails | name a metric such as equals or contains; a judge passes or fails with pass_from',
      'b | metric "c" is of "b", and there is no such metric | there are a',
    ],
  ],
  [
    'a mapping that reads another run',
    `${onAnswer('evaluator: equals, expected: x')}column_mapping: {query: "\${run.outputs.q}"}\n`,
    [
      '"${run.outputs.q}" | a column mapping reads the data, and "${run.outputs.q}" is none of it | write ${data.column}, or a literal; to score a run that is there: run: in place of flow',
    ],
  ],
  [
    'a mapping that is a list',
    `${onAnswer('evaluator: equals, expected: x')}column_mapping: [a]\n`,
    ['[a] | column_mapping must be a mapping, not a list | '],
  ],
  ...(
    [
      [
        'a cost of an output, or of an input',
        '- {name: a, on: outputs.answer, evaluator: latency}\n- {name: b, on: inputs.query, evaluator: tokens}\n',
        [
          'outputs.answer | latency is no matter of "outputs.answer" | name a node or a family, or leave "on" out for the row as a whole',
          'inputs.query | tokens is no matter of "inputs.query" | name a node or a family, or leave "on" out for the row as a whole',
        ],
      ],
      [
        'nothing to measure, each told once',
        '- {name: a, evaluator: equals, expected: x}\n- {name: b, evaluator: contains}\n',
        [
          `{name: b, evaluator: contains} | metric "b" lacks the key "on" | ${forms}`,
          '{name: a, evaluator: equals, expected: x} | metric "a" lacks the key "on" | for instance outputs.answer; only latency, tokens and cost measure the row as a whole',
        ],
      ],
      [
        'nothing expected, of what is there and of what is not',
        '- {name: a, on: outputs.anser, evaluator: equals}\n- {name: b, on: outputs.answer, evaluator: equals}\n- {name: c, on: "agent[*].ids", evaluator: recall@3}\n',
        [
          'outputs.anser | the flow has no output "anser" | did you mean "answer"?',
          'equals | metric "b" says nothing of what is expected, and no row of the data has row.expected.answer | give it `expected`',
          'recall@3 | metric "c" says nothing of what is expected, and no row of the data has row.expected.agent | give it `expected`',
        ],
      ],
      [
        'parameters that are misspelt, left out, or no number',
        '- {name: a, on: outputs.answer, evaluator: ndcg_returned_only@5, expected: x, corpas: [x]}\n- {name: b, evaluator: pass@2}\n- {name: c, on: outputs.answer, evaluator: flow}\n- {name: d, on: outputs.answer, evaluator: flow, flow: j, pass_from: "3"}\n',
        [
          'corpas | ndcg_returned_only has no parameter "corpas" (metric "a") | did you mean "corpus"?',
          '{name: b, evaluator: pass@2} | metric "b" lacks "of", which pass needs | ',
          '{name: c, on: outputs.answer, evaluator: flow} | metric "c" lacks "flow", which flow needs | ',
          '"3" | "pass_from" of metric "d" must be a number, not "3" | write it without quotes: 3',
        ],
      ],
      [
        'parameters of judges that cannot stand beside each other',
        '- {name: a, on: outputs.answer, evaluator: flow, flow: j, metric: share, pass_from: 3}\n- {name: b, on: outputs.answer, expected: x, evaluator: pairwise, flow: j, between: [one, one]}\n',
        [
          '3 | "pass_from" of metric "a" must be left out beside "metric", whose number stands for all rows | ',
          '[one, one] | "between" of metric "b" must be two inputs, one for each answer | ',
        ],
      ],
      [
        'a reference that cannot be read',
        '- {name: a, on: outputs.answer, evaluator: equals, expected: "${a b}"}\n',
        [
          '"${a b}" | "expected" of metric "a" refers to what cannot be read: ${a b} | for instance ${row.expected.ids}, ${outputs.answer}, ${agent_1.content}',
        ],
      ],
      [
        'a column and an output with a blank in their names',
        '- {name: a, on: outputs.final answer, evaluator: equals, expected: "${row.Ground Truth}"}\n',
        [
          'outputs.final answer | "on" of metric "a" cannot be read: "outputs.final answer" | a name with a blank stands in quotes: "outputs[\'final answer\']"',
          '"${row.Ground Truth}" | "expected" of metric "a" refers to what cannot be read: ${row.Ground Truth} | a name with a blank stands in quotes: "${row[\'Ground Truth\']}"',
        ],
      ],
      [
        'a misspelt key with a reference',
        '- {name: a, on: outputs.answer, evaluator: equals, expcted: "${row.expected.answer}"}\n',
        ['expcted | equals has no parameter "expcted" (metric "a") | did you mean "expected"?'],
      ],
      [
        'a reference where a parameter is the same for every row',
        '- {name: a, on: outputs.answer, evaluator: regex, pattern: "${row.pattern}"}\n- {name: b, on: outputs.answer, evaluator: json_schema, schema: {const: "${row.x}"}}\n- {name: c, on: outputs.answer, evaluator: regex, flags: "", pattern: "${outputs.x}"}\n- {name: d, on: outputs.answer, evaluator: regex, flags: "", pattern: "${retrieve.output[0].id}"}\n- {name: e, on: retrieve, evaluator: mrr, expected: [a], id_pattern: "${agent_1}"}\n',
        [
          '"${row.pattern}" | "pattern" of metric "a" is the same for every row: no reference can stand there | what differs from row to row stands in `expected`, which contains and equals take',
          '{const: "${row.x}"} | "schema" of metric "b" is the same for every row: no reference can stand there | what differs from row to row stands in `expected`, which contains and equals take',
          '"${outputs.x}" | "pattern" of metric "c" is the same for every row: no reference can stand there | what differs from row to row stands in `expected`, which contains and equals take',
          '"${retrieve.output[0].id}" | "pattern" of metric "d" is the same for every row: no reference can stand there | what differs from row to row stands in `expected`, which contains and equals take',
          '"${agent_1}" | "id_pattern" of metric "e" is the same for every row: no reference can stand there | what differs from row to row stands in `expected`',
        ],
      ],
      [
        'evaluators of one’s own that are not there',
        '- {name: a, on: outputs.answer, evaluator: own.ts}\n- {name: b, on: outputs.answer, evaluator: ./own}\n',
        [
          'own.ts | there is no evaluator file own.ts | paths start at the folder of this file',
          './own | unknown evaluator "./own" | a file of yours that measures ends in .py, .ts, .js or .mjs',
        ],
      ],
      [
        'an evaluator of one’s own outside the folder',
        '- {name: a, on: outputs.answer, evaluator: ../own.ts}\n- {name: b, on: outputs.answer, evaluator: in/../../own.py}\n',
        ['../own.ts', 'in/../../own.py'].map(
          (file) =>
            `${file} | the evaluator ${file} lies outside the folder of this file | move it into that folder, or import it from a file there`,
        ),
      ],
      [
        'two metrics of one name',
        '- {name: a, on: outputs.answer, evaluator: equals, expected: x}\n- {name: a, on: outputs.answer, evaluator: equals, expected: y}\n',
        ['a | two metrics are called "a" | '],
      ],
      [
        'a node by its family, and one that is near nothing',
        '- {name: a, on: agent, evaluator: equals, expected: x}\n- {name: b, on: zzzz, evaluator: equals, expected: x}\n',
        [
          'agent | the flow has no node "agent" | "agent" is laid out by a loop: write agent[*], or one of its turns',
          'zzzz | the flow has no node "zzzz" | there are agent[*], agent_1, agent_2, retrieve',
        ],
      ],
      [
        'what a judge reads, at any depth',
        '- {name: a, on: outputs.answer, evaluator: flow, flow: j, inputs: {q: "${nod}", l: ["${outputs.anser}"], i: "${inputs.quer}"}}\n',
        [
          '"${nod}" | the flow has no node "nod" | there are agent[*], agent_1, agent_2, retrieve',
          '["${outputs.anser}"] | the flow has no output "anser" | did you mean "answer"?',
          '"${inputs.quer}" | the flow has no input "quer" | did you mean "query"?',
        ],
      ],
    ] as const
  ).map(([name, metrics, told]): [string, string, readonly string[]] => [name, `${subject}metrics:\n${metrics}`, told]),
])('%s', async ([, text, mistakes]) => {
  expect(await mistakesIn(text)).toEqual(mistakes);
});

test('of a flow without loops and lookups it is said that there are none', async () => {
  const text = `${subject}metrics:
- {name: a, on: answer, evaluator: steps_used}
- {name: b, on: answer, evaluator: quote_in_sources}
- {name: c, on: outputs.none, evaluator: equals, expected: x}
`;
  const { partial } = parseEval({ path: 'eval.yaml', text }, { evaluators });
  const plain = { nodes: [{ name: 'answer', kind: 'llm' }], outputs: [], inputs: [] };
  const told = partial === undefined ? [] : checkEval(partial, plain, []);
  expect(told.map(({ message, help }) => `${message} | ${help}`)).toEqual([
    'steps_used measures turns of a loop, and "answer" is none | the flow has no loop',
    'metric "b" must say its sources: the flow has no lookup node and no loop | for instance sources: ${retrieve}',
    'the flow has no output "none" | there are none',
  ]);
});

test('the result of a loop, or of an agent, is no turn', async () => {
  const text = `${subject}metrics:
- {name: a, on: search, evaluator: finished_at}
- {name: b, on: "search[*]", evaluator: steps_used}
- {name: c, on: "agent[*]", evaluator: steps_used}
- {name: d, on: agent_2, evaluator: steps_used}
`;
  const { partial } = parseEval({ path: 'eval.yaml', text }, { evaluators });
  const result: RunNode = { name: 'search', kind: 'python', loop: 'search', family: 'search', iteration: 0 };
  const told = partial === undefined ? [] : checkEval(partial, { ...measurable, nodes: [...nodes, result] }, []);
  expect(told.map(({ message, help }) => `${message} | ${help}`)).toEqual([
    'finished_at measures turns of a loop, and "search" is none | name its turns: agent[*]',
    'steps_used measures turns of a loop, and "search[*]" is none | name its turns: agent[*]',
  ]);
});

test('the result of a loop, or of an agent, asks for no calls', async () => {
  const text = `${subject}metrics:
- {name: a, on: search, evaluator: trajectory, expected: []}
- {name: b, on: search.answer, evaluator: tool_call, expected: []}
- {name: c, on: "agent[*]", evaluator: tool_call_f1, expected: []}
`;
  const { partial } = parseEval({ path: 'eval.yaml', text }, { evaluators });
  const result: RunNode = { name: 'search', kind: 'python', loop: 'search', family: 'search', iteration: 0 };
  const told = partial === undefined ? [] : checkEval(partial, { ...measurable, nodes: [...nodes, result] }, []);
  expect(told.map(({ message, help }) => `${message} | ${help}`)).toEqual([
    'trajectory counts the calls of a model, and "search" is the result of a loop | name the turns that ask a model: agent[*]',
  ]);
});
