/** Characters of all texts whose readings are kept: some hundred hits of a search. */
const most = 500_000;

/**
 * Keeps what was read of texts: the hits of a search are read for each question, each part of it and each doubt, and the same
 * ones are found again for the next row.
 *
 * @param read gives the same for the same text, and nobody changes what it gives
 */
export function keepReadings<Reading>(read: (text: string) => Reading): (text: string) => Reading {
  const kept = new Map<string, Reading>();
  let characters = 0;
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const reading = read(text);
    if (characters + text.length > most) {
      kept.clear();
      characters = 0;
    }
    kept.set(text, reading);
    characters += text.length;
    return reading;
  };
}
