/** A command of a page, and the lines that the page says it prints; a line `…` stands for lines that are left out. */
export interface ShownRun {
  readonly command: string;
  readonly lines: readonly string[];
}

/** The commands of a page that are shown with what they print: in indented blocks and in fenced ones, with or without `$`. */
export function shownRuns(page: string): readonly ShownRun[] {
  const fences = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  const fenced = fences.flatMap(([, language, block = '']) => (language === '' ? [block] : []));
  const indented = [...page.matchAll(/(?:^ {4}.*\n(?:\n(?= {4}))*)+/gm)].map(([block]) =>
    block.replaceAll(/^ {4}/gm, ''),
  );
  return [...fenced, ...indented]
    .flatMap((block) => block.split(/^(?=(?:\$ )?flow )/m))
    .filter((run) => /^(?:\$ )?flow /.test(run))
    .map((run) => {
      const [command = '', ...lines] = run
        .replace(/^\$ /, '')
        .replaceAll(/ *\\\n */g, ' ')
        .split('\n');
      return { command: command.trim(), lines: lasting(lines.join('\n')) };
    })
    .filter(({ lines }) => lines.length > 0);
}

/** The words of a command after `flow`, as a shell hands them over. */
export function wordsOf(command: string): readonly string[] {
  const pieces = /'([^']*)'|"([^"]*)"|[^\s'"]+/g;
  const words = [...command.matchAll(new RegExp(`(?:${pieces.source})+`, 'g'))];
  return words.slice(1).map(([word]) => word.replaceAll(pieces, (piece, single, double) => single ?? double ?? piece));
}

/** Lines without what differs from run to run: times, names of runs, the widths of columns. */
export function lasting(text: string): readonly string[] {
  return text
    .replaceAll(/\s*<?[\d,.]+ m?s\b/gu, ' TIME')
    .replaceAll('completed in TIME', 'completed')
    .replaceAll(/\b\d{8}-\d{6}(?:-[\w-]+)?/gu, 'RUN')
    .split('\n')
    .map((line) => line.replaceAll(/\s+/gu, ' ').trim())
    .filter((line) => line !== '');
}

/**
 * Lines that the page shows and that were not printed where they should have been; none where the page is right. Lines between two `…` stand
 * together, in order; where the last line is not `…`, only where the record lies and what may come next is left out after it.
 */
export function notPrinted(shown: readonly string[], printed: readonly string[]): readonly string[] {
  let at = 0;
  let mayJump = false;
  for (const [index, line] of shown.entries()) {
    if (line === '…') {
      mayJump = true;
      continue;
    }
    const found = mayJump ? printed.findIndex((other, position) => position >= at && isSame(line, other)) : at;
    if (found === -1 || !isSame(line, printed[found] ?? '')) return shown.slice(index);
    at = found + 1;
    mayJump = false;
  }
  return mayJump || printed.slice(at).every((line) => /^(?:record|next) /.test(line)) ? [] : ['(and no more)'];
}

/** A shown line may end where the page is too narrow for it, with `…`. */
function isSame(shown: string, printed: string): boolean {
  return shown === printed || (shown.endsWith(' …') && printed.startsWith(shown.slice(0, -1)));
}
