/** The intents of a query; the query itself where the model named none. */
export default function readIntents({
  query,
  said,
}: {
  readonly query: string;
  readonly said: string;
}): readonly string[] {
  try {
    const { intents = [] } = JSON.parse(said) as { intents?: readonly string[] };
    return intents.length > 0 ? intents : [query];
  } catch {
    return [query];
  }
}
