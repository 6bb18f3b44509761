interface Context {
  readonly logMetric: (key: string, value: unknown) => void;
}

/** A line whose prediction is `raise` fails; a metric logged here must not count. */
export function grade(
  { groundtruth, prediction }: { readonly groundtruth: string; readonly prediction: string },
  { logMetric }: Context,
): string {
  if (prediction === 'raise') throw new Error('no grade');
  logMetric('from_a_line', 1);
  return groundtruth === prediction ? 'Correct' : 'Incorrect';
}
