/** Characters that fill a line of a text. */
const lineLength = 110;

/** The first lines of a text, long ones counted as several; the whole where at most two lines would be hidden. */
export function shortened(text: string, lines: number): string {
  const room = lines * lineLength;
  let end = 0;
  for (let line = 0; line < lines && end < room; line += 1) {
    const next = text.indexOf('\n', end);
    if (next === -1) end = text.length;
    else end = next + 1;
  }
  const cut = Math.min(end, room);
  const isNearlyAll = text.length - cut <= 2 * lineLength && text.slice(cut).split('\n').length <= 3;
  return isNearlyAll ? text : text.slice(0, cut).trimEnd();
}
