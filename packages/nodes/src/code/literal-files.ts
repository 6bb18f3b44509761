import { relative } from 'node:path';
import type { FingerprintInputs, NodeDefinition } from '@unroll/engine';
import { contentDigest, shown } from '../identity/file-digest.ts';
import { namedFile } from './named-file.ts';

/** What files and folders hold that a node's literal inputs name: its code may read them. */
export function literalFileParts({ inputs }: NodeDefinition, folder: string): FingerprintInputs {
  const texts = Object.values(inputs).flatMap((input) => (input.kind === 'literal' ? textsIn(input.value) : []));
  return Object.fromEntries(
    texts.flatMap((text) => {
      const path = namedFile(text, [folder], folder);
      return path === undefined ? [] : [[`reads ${shown(relative(folder, path))}`, contentDigest(path) ?? 'missing']];
    }),
  );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
