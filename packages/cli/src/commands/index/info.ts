import { type JsonValue, stringifyJson } from '@unroll/engine';
import type { IndexDescription } from '@unroll/nodes/build-index';
import { describeIndexFile } from '@unroll/project/search-index';
import { formatSize } from '@unroll/project/words';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { IndexInfoSettings } from '../../options/index-options.ts';
import { unfinishedText } from '../../search-index/unfinished-text.ts';

/** `flow index info`: what an index holds and how it was made. */
export async function info(settings: IndexInfoSettings, io: Io): Promise<number> {
  const { index } = settings;
  const { bytes, ...about } = describeIndexFile(index, io);
  if (settings.json) io.stdout.write(`${stringifyJson({ index, bytes, ...about } as unknown as JsonValue, 2)}\n`);
  else io.stdout.write(`${lines(index, bytes, about).join('\n')}\n`);
  if (!about.isFinished) io.stderr.write(`warning: ${unfinishedText(index)}\n`);
  return exitCode.done;
}

function lines(given: string, size: number, about: IndexDescription): readonly string[] {
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
