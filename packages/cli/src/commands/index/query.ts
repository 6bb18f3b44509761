import {
  type JsonValue,
  type SearchFilter,
  type SearchHit,
  type SearchIndex,
  type SearchMode,
  type SearchOptions,
  stringifyJson,
} from '@unroll/engine';
import { fitWidth } from '@unroll/engine/text-width';
import { readFilter, readFusion } from '@unroll/nodes/build-index';
import { ProjectFailure, readJson } from '@unroll/project';
import type { CommandCall, Options } from '../../command-spec.ts';
import { exitCode } from '../../exit-code.ts';
import { textOf, wholeNumberOf } from '../../option-values.ts';
import { openForQuery } from '../../search-index/open-for-query.ts';
import { createStyle, usesColor } from '../../text/style.ts';

/** `flow index query`: searches an index as a lookup node does. */
export async function query(call: CommandCall): Promise<number> {
  const { options, io } = call;
  const text = call.arguments[1] ?? '';
  const searchOptions = searchOptionsOf(options);
  await using index = await openForQuery(call);
  const result = await searched(index, text, searchOptions);
  if (!result.ok) {
    throw new ProjectFailure(result.error.message, { code: result.error.code, kind: 'failed' });
  }
  if (options['json'] === true) io.stdout.write(`${stringifyJson(result.hits as unknown as JsonValue, 2)}\n`);
  else tellHits(result.hits, call);
  const { filter } = searchOptions;
  const reason = result.hits.length === 0 && filter !== undefined ? index.explain(filter) : undefined;
  if (reason !== undefined) io.stderr.write(`note: ${reason}\n`);
  return exitCode.done;
}

async function searched(
  index: SearchIndex,
  text: string,
  options: SearchOptions,
): Promise<Awaited<ReturnType<SearchIndex['search']>>> {
  return index.search(text, options);
}

function searchOptionsOf(options: Options): SearchOptions {
  const score = textOf(options, 'minimumScore');
  if (score !== undefined && (score.trim() === '' || !Number.isFinite(Number(score))))
    throw new ProjectFailure(`--minimum-score takes a number, not "${score}"`);
  const fusion = textOf(options, 'fusion');
  const read = fusion === undefined ? undefined : readFusion(readJson(fusion, '--fusion'));
  if (typeof read === 'string') throw new ProjectFailure(`--fusion: ${read}`);
  const filter = filterOf(textOf(options, 'filter'));
  const mode = textOf(options, 'mode');
  return {
    topK: wholeNumberOf(options, 'topK', 1) ?? 5,
    ...(mode === undefined ? {} : { mode: mode as SearchMode }),
    ...(score === undefined ? {} : { minimumScore: Number(score) }),
    ...(filter === undefined ? {} : { filter }),
    ...(read === undefined ? {} : { fusion: read }),
  };
}

function filterOf(text: string | undefined): SearchFilter | undefined {
  if (text === undefined) return undefined;
  const read = readFilter(readJson(text, '--filter'));
  if ('filter' in read) return read.filter;
  throw new ProjectFailure(`--filter: ${read.problem}`);
}

const shownCells = 100;

function tellHits(hits: readonly SearchHit[], { options, io }: CommandCall): void {
  const style = createStyle(usesColor(io.stdout, io, options['color']));
  if (hits.length === 0) io.stdout.write('nothing found\n');
  const width = Math.min(io.stdout.columns ?? shownCells, shownCells);
  for (const [index, { id, title, text, score }] of hits.entries()) {
    const place = String(index + 1).padStart(2);
    io.stdout.write(
      `${place}  ${style.dim(score.toPrecision(4))}  ${style.name(id)}${title === undefined ? '' : `  ${title}`}\n`,
    );
    io.stdout.write(`    ${fitWidth(text.replaceAll(/\s+/gu, ' '), width - 4)}\n`);
  }
}
