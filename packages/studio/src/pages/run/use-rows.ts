import type { RowLine, RowsPage } from '@unroll/project/studio-contract';
import { useEffect, useReducer, useRef } from 'preact/hooks';
import { type Failure, request } from '../../load/request.ts';

const pageSize = 100;

export interface Rows {
  /** The first page that came: columns, facets, counts. */
  readonly head?: RowsPage;
  readonly failure?: Failure;
  /** What is shown is of the filter asked for. */
  readonly isCurrent: boolean;
  readonly rowAt: (index: number) => RowLine | undefined;
  /** Asks for what is seen and not there yet. */
  readonly see: (first: number, last: number) => void;
  readonly again: () => void;
}

/**
 * Rows of a run by their place in the filter and order: pages come as they are scrolled to. While the first page of another filter
 * is on its way, the rows of the one before stay.
 *
 * @param path of the API, without paging
 */
export function useRows(path: string): Rows {
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0);
  const shown = useRef<RowPages>(undefined);
  const asked = useRef<RowPages>(undefined);
  const begin = (isFresh: boolean): void => {
    asked.current?.end();
    const pages = new RowPages(path, () => {
      if (pages === asked.current && pages.head !== undefined) shown.current = pages;
      redraw(undefined);
    });
    asked.current = pages;
    pages.see(0, 0, isFresh);
  };
  useEffect(() => {
    begin(false);
    return () => asked.current?.end();
  }, [path]);
  const now = shown.current;
  const failure = asked.current?.failure;
  return {
    ...(now?.head === undefined ? {} : { head: now.head }),
    ...(failure === undefined ? {} : { failure }),
    isCurrent: now === asked.current && now?.path === path,
    rowAt: (index) => now?.rowAt(index),
    see: (first, last) => now?.see(first, last),
    again: () => begin(true),
  };
}

class RowPages {
  head: RowsPage | undefined;
  failure: Failure | undefined;
  readonly path: string;
  readonly #came: () => void;
  readonly #ended = new AbortController();
  readonly #pages = new Map<number, readonly RowLine[]>();
  readonly #asked = new Set<number>();

  constructor(path: string, came: () => void) {
    this.path = path;
    this.#came = came;
  }

  rowAt(index: number): RowLine | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  }

  /** @param isFresh with rows that ended since the run was read */
  see(first: number, last: number, isFresh = false): void {
    for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page += 1) {
      if (this.#asked.has(page)) continue;
      this.#asked.add(page);
      this.#read(page, isFresh);
    }
  }

  end(): void {
    this.#ended.abort();
  }

  async #read(page: number, isFresh: boolean): Promise<void> {
    const separator = this.path.includes('?') ? '&' : '?';
    const fresh = isFresh ? '&fresh=true' : '';
    const path = `${this.path}${separator}limit=${pageSize}&offset=${page * pageSize}${fresh}`;
    const answer = await request<RowsPage>(path, this.#ended.signal).catch(() => undefined);
    if (answer === undefined) return;
    if ('failure' in answer) {
      this.failure = answer.failure;
      this.#asked.delete(page);
    } else {
      this.failure = undefined;
      this.head ??= answer.value;
      this.#pages.set(page, answer.value.rows);
    }
    this.#came();
  }
}
