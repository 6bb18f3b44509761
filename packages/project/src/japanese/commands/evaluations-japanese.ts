/** What is wrong with evaluations, baselines, prices and models that replay. */
export const evaluationsJapanese: Readonly<Record<string, string>> = {
  'a JSON Schema: {}': 'JSON Schema：{1}',
  'a regular expression: {}': '正規表現：{1}',
  'name a metric such as equals or contains; a judge passes or fails with pass_from':
    'equals や contains のような指標を書いてください。判定者の合否は pass_from で決まります',
  'run {} was given outputs of its nodes: it is no baseline':
    '実行 {1} ではノードの出力が与えられているため、ベースラインにできません',
  'Accept a run of the flow as it is.': 'フローをそのまま実行したものをベースラインにしてください。',
  'there is no baseline {}': 'ベースライン {1} がありません',
  '{} is no baseline: {}': '{1} はベースラインではありません：{2*}',
  '{} is the baseline of evaluation {} of flow {}, not of {} of {}':
    '{1} はフロー {3} の評価 {2} のベースラインで、フロー {5} の {4} のものではありません',
  '{} To compare runs of two flows: --against RUN.': '{1*} 別のフローの実行と比べるには --against RUN を使います。',
  'no metric of {} has a gate': '{1} のどの指標にもゲートがありません',
  'Give one: gate: {min: 0.9}, or gate: {no_worse_than: baseline}.':
    '例：gate: {min: 0.9}、gate: {no_worse_than: baseline}',
  'metric "{}" is held to a baseline, and none was accepted yet':
    '指標「{1}」はベースラインと比べますが、まだベースラインがありません',
  'which evaluation? Give its eval.yaml, or its folder': 'どの評価ですか。eval.yaml かそのフォルダーを指定してください',
  'flow help eval shows how.': '使い方は flow help eval で見られます。',
  'An evaluation is a file eval.yaml that names a flow, data and metrics; flow init my-agent writes one to start from.':
    '評価は、フロー、データ、指標を書いたファイル eval.yaml です。出発点になるものは flow init my-agent で作れます。',
  '{} holds no eval.yaml': '{1} に eval.yaml がありません',
  '{} cannot be read: it is no file': '{1} を読めません：ファイルではありません',
  'the evaluation has no metric "{}"': '評価に指標「{1}」はありません',
  'no metric is on an output of the flow: there is no end score to raise':
    'フローの出力を見る指標がないため、上げるべき最終スコアがありません',
  'Give the evaluation one (on: outputs.answer), or name metrics: --metric NAME.':
    '評価に加えるか（on: outputs.answer）、--metric NAME で指標を指定してください。',
  'nothing is given: {} names no output of {}': '与えるものがありません：{1} に {2} の出力がありません',
  'Rows say what a node should have given as expected.<node>; or take it from a run that is right: --oracle-from RUN.':
    'ノードが返すべき値は、行の expected.<ノード> に書きます。正しい実行から取るには --oracle-from RUN を使います。',
  '{} is no list of prices:\n{}': '{1} は単価の一覧ではありません：\n{2*}',
  '{} {}: it is no list of prices': '{1} {2}：単価の一覧ではありません',
  'For instance {"date": "2025-08-20", "models": {"gpt-4o": {"input": 2.5, "cached_input": 1.25, "output": 10}}}, in US dollars for a million tokens.':
    '例：{"date": "2025-08-20", "models": {"gpt-4o": {"input": 2.5, "cached_input": 1.25, "output": 10}}}（100 万トークンあたりの米ドル）',
  'when it was listed: "date": "2025-08-20" here, or once at the top for all':
    '単価の日付です。ここに "date": "2025-08-20" と書くか、最初に一度だけ書いてください',
  '{}:{}:{} cannot be read: {}': '{1}:{2}:{3} を読めません：{4}',
  '{} cannot be read: there is no such file': '{1} を読めません：ファイルがありません',
  '"reply" must be a text or a message': '"reply" は文字列かメッセージでなければなりません',
  'no flow that is served has the input {}': '公開しているどのフローにも入力 {1} はありません',
  'Its inputs: {}': '入力：{1}',
  '{}: it is no label': '{1}：ラベルではありません',
  'Mend the line or take it out.': 'その行を直すか、取り除いてください。',
};
