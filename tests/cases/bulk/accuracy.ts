interface Context {
  readonly logMetric: (key: string, value: unknown) => void;
}

export function accuracy({ grades }: { readonly grades: readonly string[] }, { logMetric }: Context): number {
  const share = grades.filter((grade) => grade === 'Correct').length / grades.length;
  logMetric('accuracy', Math.round(share * 100) / 100);
  return share;
}
