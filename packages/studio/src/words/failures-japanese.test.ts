import { expect, test } from 'vitest';
import { failureInJapanese } from './failures-japanese.ts';

test.for([
  [
    {
      code: 'FlowNotReady',
      message: 'the flow cannot run: ask.jinja2:2: node "ask" has no type',
      help: 'for instance `type: llm`',
    },
    { message: 'フローを実行できません：ask.jinja2:2: ノード「ask」に型がありません', help: '例：`type: llm`' },
  ],
  [
    {
      code: 'FlowNotReady',
      message: 'the flow cannot run\na/flow.dag.yaml:2:5 error NODE_KEY_MISSING node "ask" has no type\n    x\n1 error',
    },
    {
      message:
        'フローを実行できません\na/flow.dag.yaml:2:5 エラー NODE_KEY_MISSING ノード「ask」に型がありません\n    x\nエラー 1 件',
    },
  ],
  [
    {
      code: 'EvaluationNotReady',
      message: 'a/eval.yaml cannot score it: the evaluation names neither a flow nor a run',
    },
    { message: 'a/eval.yaml では採点できません：評価にフローも実行も書かれていません' },
  ],
] as const)('%j as a failure of the page', ([failure, japanese]) => {
  expect(failureInJapanese(failure)).toEqual({ code: failure.code, ...japanese });
});
