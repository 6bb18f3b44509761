import { setImmediate } from 'node:timers/promises';

interface Context {
  readonly logMetric: (key: string, value: unknown) => void;
}

/** A line whose prediction is `raise` fails, `after 7 turns` is late; a metric logged here must not count. */
export async function grade(
  { groundtruth, prediction }: { readonly groundtruth: string; readonly prediction: string },
  { logMetric }: Context,
): Promise<string> {
  if (prediction === 'raise') throw new Error('no grade');
  const [, turns = 0] = /^after (\d+) turns/.exec(prediction) ?? [];
  for (let turn = 0; turn < Number(turns); turn++) await setImmediate();
  logMetric('from_a_line', 1);
  return groundtruth === prediction ? 'Correct' : 'Incorrect';
}
