import type { Exported } from '@unroll/project/studio-contract';
import { viewOf } from './view.ts';

/** What an exported page brings along in place of a server; undefined where a server gave the page. */
export const exportedPage: Exported | undefined = read();

function read(): Exported | undefined {
  const text = document.getElementById('unroll-export')?.textContent;
  return text == null ? undefined : (JSON.parse(text) as Exported);
}

/** What of a query makes another page of an address, not another view of one. */
const parameters = ['path', 'left', 'right', 'key', 'rename', 'turns'];

/** What was asked for the answers there are, without their queries, and the pairs of runs among them. */
const asked = new Set(
  [exportedPage?.answers, exportedPage?.files].flatMap((part) => Object.keys(part ?? {})).flatMap(asPlaces),
);

function asPlaces(name: string): readonly string[] {
  const [path = '', query = ''] = name.split('?');
  return [path, placeOf(path, new URLSearchParams(query))];
}

function placeOf(path: string, query: URLSearchParams): string {
  return [path, ...parameters.map((one) => query.getAll(one).join('\n'))].join('\n');
}

/** Whether the page can show this address; with a server it can show any. */
export function isExported(address: string): boolean {
  if (exportedPage === undefined) return true;
  const [path = '', text = ''] = address.split('?');
  const [view, query] = [viewOf(path), new URLSearchParams(text)];
  switch (view.page) {
    case 'run':
      return asked.has(`runs/${encodeURIComponent(view.run)}`);
    case 'row':
      return asked.has(`runs/${encodeURIComponent(view.run)}/rows/${view.line}/${view.repeat}`);
    case 'diff':
      return asked.has(placeOf('diff', query));
    case 'evaluations':
      return query.has('path') ? asked.has(placeOf('evaluation', query)) : asked.has('evaluations');
    default:
      return asked.has(view.page);
  }
}
