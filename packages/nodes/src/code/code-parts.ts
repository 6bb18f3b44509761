import { relative } from 'node:path';
import { type FingerprintInputs, type PrepareContext, stringifyJson, textHash } from '@unroll/engine';
import { shown, textFileDigest } from '../identity/file-digest.ts';

/**
 * What is known of a code node before it runs: its own file (`code search.ts`) and `variables`, those of the flow's environment but for
 * those named like a secret. What its code reads, imported modules and packages among it, is seen while it runs.
 *
 * @param path absolute
 */
export function codeParts(path: string, { files, environment }: PrepareContext): FingerprintInputs {
  const variables = Object.entries(environment).filter(([name]) => !secretName.test(name));
  return {
    [`code ${shown(relative(files.folder, path))}`]: textFileDigest(path),
    ...(variables.length === 0 ? {} : { variables: textHash(stringifyJson(Object.fromEntries(variables.sort()))) }),
  };
}

/** A key that was renewed changes no answer, and a digest of a short secret would tell it. */
const secretName = /key|token|secret|password|passwd|credential|connection_string/i;
