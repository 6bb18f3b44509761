/** What commander, which reads the command line, says of it. */
export const argumentParserJapanese: Readonly<Record<string, string>> = {
  "error: unknown option '{}'": 'error: オプション {1} はありません',
  "error: unknown option '{}'\n(Did you mean {}?)": 'error: オプション {1} はありません\n（{2} のことですか？）',
  "error: unknown option '{}'\n(Did you mean one of {}?)":
    'error: オプション {1} はありません\n（{2} のどれかですか？）',
  "error: unknown command '{}'": 'error: コマンド {1} はありません',
  "error: unknown command '{}'\n(Did you mean {}?)": 'error: コマンド {1} はありません\n（{2} のことですか？）',
  "error: unknown command '{}'\n(Did you mean one of {}?)":
    'error: コマンド {1} はありません\n（{2} のどれかですか？）',
  "error: missing required argument '{}'": 'error: 引数 {1} がありません',
  "error: option '{}' argument missing": 'error: オプション {1} に値がありません',
  "error: option '{}' argument '{}' is invalid. Allowed choices are {}.":
    'error: オプション {1} に「{2}」は使えません。使えるのは {3} です。',
  "error: command-argument value '{}' is invalid for argument '{}'. Allowed choices are {}.":
    'error: 引数 {2} に「{1}」は使えません。使えるのは {3} です。',
  "error: too many arguments for '{}'. Expected {} argument but got {}.":
    'error: {1} の引数が多すぎます（{2} 個までのところ {3}）。',
  "error: too many arguments for '{}'. Expected {} arguments but got {}.":
    'error: {1} の引数が多すぎます（{2} 個までのところ {3}）。',
};
