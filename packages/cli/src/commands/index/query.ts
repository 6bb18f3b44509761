import {
  type JsonValue,
  type SearchFilter,
  type SearchHit,
  type SearchIndex,
  type SearchOptions,
  stringifyJson,
} from '@unroll/engine';
import { fitWidth } from '@unroll/engine/text-width';
import { readFilter, readFusion } from '@unroll/nodes/build-index';
import { ProjectFailure, readJson } from '@unroll/project';
import { type OpenedIndex, openIndexForQuery } from '@unroll/project/search-index';
import { formatScore, isNextToNothing } from '@unroll/project/words';
import { exitCode } from '../../exit-code.ts';
import { heardSystem } from '../../heard-system.ts';
import type { Io } from '../../io.ts';
import type { QueryIndexSettings } from '../../options/index-options.ts';
import { embedderOf } from '../../search-index/embedder-option.ts';
import { unfinishedText } from '../../search-index/unfinished-text.ts';
import { styleOf } from '../../text/style.ts';

/** `flow index query`: searches an index as a lookup node does. */
export async function query(settings: QueryIndexSettings, io: Io): Promise<number> {
  const searchOptions = searchOptionsOf(settings);
  await using index = await openIndexForQuery(
    settings.index,
    { ...settings, embedder: embedderOf(settings) },
    heardSystem(settings, io),
  );
  const result = await searched(index, settings.query, searchOptions);
  if (!result.ok) {
    throw new ProjectFailure(result.error.message, { code: result.error.code, kind: 'failed' });
  }
  if (settings.json) io.stdout.write(`${stringifyJson(result.hits as unknown as JsonValue, 2)}\n`);
  else reportHits(result.hits, settings, io);
  if (!index.isFinished) io.stderr.write(`warning: ${unfinishedText(settings.index)}\n`);
  const reason = noteOf(result.hits, index, searchOptions);
  if (reason !== undefined) io.stderr.write(`note: ${reason}\n`);
  return exitCode.done;
}

/** What would puzzle whoever sees these hits. */
function noteOf(hits: readonly SearchHit[], index: OpenedIndex, { filter }: SearchOptions): string | undefined {
  if (hits.length === 0) return filter === undefined ? undefined : index.explain(filter);
  if (!hits.every(({ score }) => isNextToNothing(score))) return undefined;
  return 'these scores are next to 0, since each word that was found stands in half of the documents or more (docs/lookup.md)';
}

async function searched(
  index: SearchIndex,
  text: string,
  options: SearchOptions,
): Promise<Awaited<ReturnType<SearchIndex['search']>>> {
  return index.search(text, options);
}

function searchOptionsOf(settings: QueryIndexSettings): SearchOptions {
  const { fusion, mode, minimumScore, topK = 5 } = settings;
  const read = fusion === undefined ? undefined : readFusion(readJson(fusion, '--fusion'));
  if (typeof read === 'string') throw new ProjectFailure(`--fusion: ${read}`);
  const filter = filterOf(settings.filter);
  return {
    topK,
    ...(mode === undefined ? {} : { mode }),
    ...(minimumScore === undefined ? {} : { minimumScore }),
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

function reportHits(hits: readonly SearchHit[], settings: QueryIndexSettings, io: Io): void {
  const style = styleOf(io.stdout, io, settings.color);
  if (hits.length === 0) io.stdout.write('nothing found\n');
  const width = Math.min(io.stdout.columns ?? shownCells, shownCells);
  for (const [index, { id, title, text, score }] of hits.entries()) {
    const place = String(index + 1).padStart(2);
    io.stdout.write(
      `${place}  ${style.dim(formatScore(score))}  ${style.name(id)}${title === undefined ? '' : `  ${title}`}\n`,
    );
    io.stdout.write(`    ${fitWidth(text.replaceAll(/\s+/gu, ' '), width - 4)}\n`);
  }
}
