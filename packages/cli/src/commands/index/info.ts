import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type JsonValue, stringifyJson } from '@unroll/engine';
import { describeIndex } from '@unroll/nodes/build-index';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { IndexInfoSettings } from '../../options/index-options.ts';
import { openIndexFile } from '../../search-index/open-index-file.ts';
import { formatSize } from '../../text/format-amounts.ts';

/** `flow index info`: what an index holds and how it was made. */
export async function info(settings: IndexInfoSettings, io: Io): Promise<number> {
  const { index: given } = settings;
  const database = openIndexFile(given, io, 'read');
  try {
    const about = describeIndex(database);
    const { size } = statSync(resolve(io.folder, given));
    if (settings.json)
      io.stdout.write(`${stringifyJson({ index: given, bytes: size, ...about } as unknown as JsonValue, 2)}\n`);
    else io.stdout.write(`${lines(given, size, about).join('\n')}\n`);
    return exitCode.done;
  } finally {
    database.close();
  }
}

function lines(given: string, size: number, about: ReturnType<typeof describeIndex>): readonly string[] {
  const { documents, files, vectors, dimensions, model, embedder, chunks, roots, tokenizer, fields } = about;
  const made =
    model === undefined
      ? 'none'
      : `${vectors} of ${dimensions ?? 0} numbers, by ${model} (connection ${embedder?.connection ?? ''})`;
  const known = Object.entries(fields).map(([name, count]) => `${name} (${count})`);
  return [
    `${given}: ${documents} documents of ${files} files, ${formatSize(size)}`,
    `vectors    ${made}`,
    `chunks     ${chunks.tokens} tokens at most, ${chunks.overlap} repeated`,
    `words      ${tokenizer}`,
    `from       ${roots.join(', ')}`,
    `fields     ${known.join(', ')}`,
  ];
}
