/** What an action group's Lambda function is given; the same code runs on AWS Lambda. */
interface ActionEvent {
  readonly actionGroup: string;
  readonly apiPath: string;
  readonly httpMethod: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

const forecasts: Readonly<Record<string, string>> = {
  東京: '東京は晴れ、最高気温は18℃です。',
  大阪: '大阪は曇り、最高気温は17℃です。',
  札幌: '札幌は雪、最高気温は2℃です。',
  Tokyo: 'Tokyo is sunny with a high of 18 °C.',
  Osaka: 'Osaka is cloudy with a high of 17 °C.',
  Sapporo: 'Sapporo has snow with a high of 2 °C.',
};

export function weather(event: unknown) {
  const call = event as ActionEvent;
  const city = parameterOf(call, 'city') ?? '';
  const forecast = forecasts[city];
  if (forecast === undefined) return answer(call, 404, `no forecast for ${city}`);
  return answer(call, 200, forecast);
}

const seats: Readonly<Record<string, number>> = { 富士: 12, 桜: 6, 隅田: 4 };

/** On even days the largest room is taken. */
export function rooms(event: unknown) {
  const call = event as ActionEvent;
  const date = parameterOf(call, 'date') ?? '';
  const people = Number(parameterOf(call, 'people') ?? 1);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return answer(call, 400, 'date must be YYYY-MM-DD');
  const isEven = Number(date.slice(-2)) % 2 === 0;
  const free = Object.entries(seats).filter(([name, count]) => count >= people && !(isEven && name === '富士'));
  if (free.length === 0) return answer(call, 200, `${date}に${people}名で使える会議室はありません。`);
  return answer(
    call,
    200,
    `${date}は${free.map(([name, count]) => `${name}（${count}名）`).join('、')}が空いています。`,
  );
}

function parameterOf({ parameters }: ActionEvent, name: string): string | undefined {
  return parameters.find((one) => one.name === name)?.value;
}

function answer({ actionGroup, apiPath, httpMethod }: ActionEvent, status: number, body: string) {
  const responseBody = { 'application/json': { body } };
  return {
    messageVersion: '1.0',
    response: { actionGroup, apiPath, httpMethod, httpStatusCode: status, responseBody },
  };
}
