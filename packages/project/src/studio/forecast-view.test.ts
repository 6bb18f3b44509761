import { expect, test } from 'vitest';
import type { RunForecast } from '../forecast/forecast-run.ts';
import { forecastView } from './forecast-view.ts';
import type { Language } from './lens.ts';

const none = { min: 0, likely: 0, max: 0, isOpen: false };
const forecast: RunForecast = {
  rows: 3,
  looked: 3,
  takenRows: 0,
  failingRows: 0,
  groups: [],
  total: { calls: none } as unknown as RunForecast['total'],
  unpriced: [],
  dearerFallbacks: [],
  uncounted: [],
};

test.for<readonly [language: Language, failingRows: number, uncounted: readonly string[], leftOut: readonly string[]]>([
  ['en', 0, [], []],
  ['en', 1, [], ['1 more fails before a node runs']],
  [
    'en',
    1200,
    ['judge', 'sum'],
    ['1,200 more fail before a node runs', 'not counted, once after all rows: judge, sum'],
  ],
  [
    'ja',
    2,
    ['judge'],
    ['このほか 2 行は、ノードを実行する前に失敗します', '全行の後に一度だけ動くノードは数えていません：judge'],
  ],
])('what the numbers of a forecast leave out: %s, %i rows, %j', ([language, failingRows, uncounted, leftOut]) => {
  expect(forecastView({ ...forecast, failingRows, uncounted }, undefined, language).leftOut).toEqual(leftOut);
});

test.for<[Language, string]>([
  ['en', 'more where a connection of "fallback" answers, which costs more: ask'],
  ['ja', 'より高い予備の接続（fallback）が答えると費用は増えます：ask'],
])('and that another connection may answer for more: %s', ([language, told]) => {
  expect(forecastView({ ...forecast, dearerFallbacks: ['ask'] }, undefined, language).leftOut).toEqual([told]);
});
