// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import type { DiagnosticCode } from './diagnostic-code.ts';

/** Codes of `flow eval`. */
export const evalCodes: Readonly<Record<string, DiagnosticCode>> = {
  EVAL_UNKNOWN_KEY: {
    meaning: 'A key of an eval.yaml that has no meaning at this place.',
    example: ['flow: my-flow', 'datas: cases.jsonl'].join('\n'),
    fix: 'Write the suggested key, or remove it.',
  },
  EVAL_MISSING_KEY: {
    meaning: 'A key of an eval.yaml that must be there is not.',
    example: ['metrics:', '- {name: right, on: outputs.answer}   # no evaluator'].join('\n'),
    fix: 'Add the key that the message names.',
  },
  EVAL_WRONG_VALUE: {
    meaning: 'A value of the wrong kind in an eval.yaml.',
    example: 'metrics: right',
    fix: 'The message says what must stand there.',
  },
  EVAL_SUBJECT: {
    meaning: 'An eval.yaml does not say what is evaluated, says it twice, or names a flow or data that is not there.',
    example: ['flow: ../my-flow', 'run: 20261121-064500-my-flow-a1b2'].join('\n'),
    fix: 'Name one flow with its data, or one run; paths start at the folder of the file.',
  },
  EVAL_DUPLICATE_METRIC: {
    meaning: 'Two metrics have the same name.',
    example: [
      'metrics:',
      '- {name: right, on: outputs.answer, evaluator: equals}',
      '- {name: right, on: outputs.status, evaluator: equals}',
    ].join('\n'),
    fix: 'Rename one of them; the note shows the first.',
  },
  EVAL_UNKNOWN_EVALUATOR: {
    meaning: 'A metric names an evaluator that does not exist.',
    example: '- {name: right, on: outputs.answer, evaluator: equal}',
    fix: 'Write the suggested name; docs/guide/eval.md lists them. A file of yours is named by its path, `./own.py`.',
  },
  EVAL_PARAMETER: {
    meaning: 'A metric has a parameter that its evaluator does not have, lacks one, or gives it a wrong value.',
    example: '- {name: near, on: outputs.price, evaluator: number, tolerence: 0.1}',
    fix: 'Write the suggested parameter, or a value of the kind the message names.',
  },
  EVAL_TARGET: {
    meaning:
      'What a metric looks at, or refers to, cannot be read, or is nothing its evaluator measures; or scores are to be told by what is no column of the data.',
    example: '- {name: right, on: "outputs.answer[first]", evaluator: equals}',
    fix: "Write `outputs.answer`, `node.path[0].x`, `[-1]` for the last, `agent[*]` for all turns of a loop's node.",
  },
  EVAL_UNKNOWN_NODE: {
    meaning: 'A metric looks at a node that the flow does not have.',
    example: '- {name: found, on: retreive, evaluator: recall@5}',
    fix: 'Write the suggested name. Nodes of a loop are `agent[*]`, or `agent_2` for one turn.',
  },
  EVAL_UNKNOWN_OUTPUT: {
    meaning: 'A metric looks at an output or input that the flow does not have.',
    example: '- {name: right, on: outputs.anwser, evaluator: equals}',
    fix: 'Write the suggested name.',
  },
  EVAL_UNKNOWN_COLUMN: {
    meaning:
      'A metric takes what is expected from a column that no row of the data has, or scores are to be told by one.',
    example: '- {name: right, on: outputs.answer, evaluator: equals, expected: "${row.anwser}"}',
    fix: 'Write the suggested column, or add it to the data. A metric without `expected` takes `row.expected` and then the name of the node or output.',
  },
  EVAL_GATE: {
    meaning: 'A gate that cannot be read, asks for nothing or cannot be met.',
    example: 'gate: {mim: 0.9}',
    fix: 'Give it `min`, `max`, `no_worse_than: baseline` or `agreement`.',
  },
  PRICE_LIST: {
    meaning:
      'A list of prices has a key it does not know, lacks one, has a price without a date, or the same model twice.',
    example: '{"date": "2025-08-20", "models": {"gpt-4o": {"input": 2.5, "cashed_input": 1.25, "output": 10}}}',
    fix: 'Write what the message names; nothing of such a list is in force.',
  },
};
