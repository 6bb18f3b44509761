import { escapeHtml } from './filters.ts';

/** Jinja2's `urlize`: addresses in a text become links. */
export function urlize(
  text: string,
  limit: number | undefined,
  nofollow: boolean,
  target: string | undefined,
  rel: string | undefined,
): string {
  const rels = [...new Set([...(rel ?? '').split(' ').filter(Boolean), 'noopener', ...(nofollow ? ['nofollow'] : [])])]
    .sort()
    .join(' ');
  const attributes = ` rel="${escapeHtml(rels)}"${target === undefined || target === null ? '' : ` target="${escapeHtml(target)}"`}`;
  const shorten = (url: string): string =>
    limit !== undefined && limit !== null && url.length > limit ? `${url.slice(0, limit)}...` : url;
  return escapeHtml(text)
    .split(/(\s+)/u)
    .map((word) => linked(word, shorten, attributes))
    .join('');
}

function linked(word: string, shorten: (url: string) => string, attributes: string): string {
  const [, head = '', middle = '', tail = ''] = /^((?:[(<]|&lt;)*)(.*?)((?:[)>.,\n]|&gt;)*)$/s.exec(word) ?? [];
  if (/^(https?:\/\/|www\.)([\w-]+\.?)+(:\d+)?([/?#]\S*)?$/iu.test(middle)) {
    const address = /^https?:/i.test(middle) ? middle : `https://${middle}`;
    return `${head}<a href="${address}"${attributes}>${shorten(middle)}</a>${tail}`;
  }
  if (/^\S+@\w[\w.-]*\.\w+$/u.test(middle) && !middle.startsWith('www.') && !middle.includes(':')) {
    return `${head}<a href="mailto:${middle}">${middle}</a>${tail}`;
  }
  return word;
}
