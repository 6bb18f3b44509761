/** A stretch of text that may answer a question. */
export interface Passage {
  readonly id?: string;
  readonly title?: string;
  readonly text: string;
  /** Other questions that the text answers. */
  readonly asked?: readonly string[];
}

/** A passage under each question that it answers: under its title, then under the others. */
export function asEachIsAsked(passage: Passage): readonly Passage[] {
  return [passage, ...(passage.asked ?? []).map((title) => ({ ...passage, title }))];
}

/**
 * Reads hits: a JSON list of `{id, title, text}`, or blocks of text headed `[id] title`, whose last line may be
 * `Also asked: … / …`.
 */
export function readPassages(content: string): readonly Passage[] {
  const trimmed = content.trim();
  if (trimmed === '') return [];
  const listed = readJsonPassages(trimmed);
  if (listed !== undefined) return listed;
  return trimmed.split(/\n\s*\n|\n(?=\[[^\]\n]+\])/).map(readBlock);
}

function readBlock(block: string): Passage {
  const [, id, title = '', text = ''] = /^\[([^\]\n]+)\][ \t]*([^\n]*)\n([\s\S]*)$/.exec(block.trim()) ?? [];
  if (id === undefined) return { text: block.trim() };
  const [also, asked] = alsoAsked.exec(text.trim()) ?? [''];
  return {
    id,
    title: title.trim(),
    text: text
      .trim()
      .slice(0, text.trim().length - also.length)
      .trim(),
    ...(asked === undefined ? {} : { asked: asked.split(' / ') }),
  };
}

const alsoAsked = /\n(?:Also asked|別の尋ね方): (.+)$/u;

function readJsonPassages(text: string): readonly Passage[] | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const list = Array.isArray(value) ? value : [value];
    return list.flatMap((one: unknown) => {
      if (typeof one === 'string') return [{ text: one }];
      const {
        id,
        title,
        text: body,
      } = (one ?? {}) as { readonly id?: unknown; readonly title?: unknown; readonly text?: unknown };
      if (typeof body !== 'string') return [];
      return [
        { ...(typeof id === 'string' ? { id } : {}), ...(typeof title === 'string' ? { title } : {}), text: body },
      ];
    });
  } catch {
    return undefined;
  }
}
