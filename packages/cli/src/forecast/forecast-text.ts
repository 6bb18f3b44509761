import type { NodeEstimate, Range, RunForecast } from '@unroll/project';
import { formatCost, formatCount } from '@unroll/project/words';
import type { Style } from '../text/style.ts';
import { type Cell, table } from '../text/table.ts';
import type { ForecastAbout } from './forecast-json.ts';

const columns = [
  { title: 'node' },
  { title: 'model' },
  ...['taken', 'calls', 'prompt tokens', 'completion tokens', 'cost'].map((title) => ({ title, isNumber: true })),
];

/** A table of the nodes, what they come to together, and what the numbers rest on. */
export function forecastText(forecast: RunForecast, about: ForecastAbout, style: Style): string {
  const { groups, total } = forecast;
  const lines = groups.map(({ node, model = '', taken, ...amounts }): readonly Cell[] => [
    { text: node },
    { text: model },
    { text: taken === 0 ? '' : formatCount(taken), paint: style.name },
    ...amountCells(amounts),
  ]);
  const isAnyAsked = total.promptTokens !== undefined;
  const sum = [
    { text: 'models together', paint: style.strong },
    { text: '' },
    { text: '' },
    ...amountCells(total, forecast.unpriced.length > 0),
  ];
  return [
    table(columns, isAnyAsked ? [...lines, sum] : lines, style.dim),
    '\n',
    ...closing(forecast, about).map((line) => `${line}\n`),
  ].join('');
}

function amountCells(
  { calls, promptTokens, completionTokens, cost }: Omit<NodeEstimate, 'node' | 'taken'>,
  isPartial = false,
): Cell[] {
  return [
    { text: rangeText(calls, whole) },
    { text: promptTokens === undefined ? '' : rangeText(promptTokens, whole) },
    { text: completionTokens === undefined ? '' : rangeText(completionTokens, whole) },
    {
      text:
        cost === undefined
          ? ''
          : `${rangeText(cost, (dollars) => formatCost(dollars, false))}${isPartial ? ' (partial)' : ''}`,
    },
  ];
}

function whole(amount: number): string {
  return formatCount(Math.round(amount));
}

/** `1,204 (900 to 1,500)`; `+` where more is possible. */
function rangeText({ min, likely, max, isOpen }: Range, print: (amount: number) => string): string {
  const more = isOpen ? '+' : '';
  const text = `${print(likely)}${more}`;
  return print(min) === print(max) ? text : `${text} (${print(min)} to ${print(max)}${more})`;
}

function closing(forecast: RunForecast, { data, since, basis }: ForecastAbout): readonly string[] {
  const { rows, looked, takenRows, failingRows, unpriced, dearerFallbacks, uncounted, total } = forecast;
  const isOpen = total.promptTokens?.isOpen === true || total.completionTokens?.isOpen === true;
  return [
    `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'} of ${data}${looked < rows ? `, ${formatCount(looked)} of them looked at` : ''}; nothing was run`,
    ...(failingRows === 0
      ? []
      : [
          `${formatCount(failingRows)} more ${failingRows === 1 ? 'fails' : 'fail'} before a node runs: flow run tells why`,
        ]),
    ...(since === undefined ? [] : [`${formatCount(takenRows)} of them answered whole from ${since}`]),
    basis === undefined
      ? 'no earlier run of this flow: where a condition decides, every call is counted'
      : `likely: as in ${basis}`,
    ...(isOpen ? ['+ part of it is not known before it runs: prompts that hold what other nodes give, answers'] : []),
    ...(uncounted.length === 0 ? [] : [`not counted, once after all rows: ${uncounted.join(', ')}`]),
    ...(dearerFallbacks.length === 0
      ? []
      : [`more than that where a connection of "fallback" answers, which costs more: ${dearerFallbacks.join(', ')}`]),
    ...(unpriced.length === 0
      ? []
      : [`without a price: ${unpriced.join(', ')} (flow prices update --file FILE gives one)`]),
  ];
}
