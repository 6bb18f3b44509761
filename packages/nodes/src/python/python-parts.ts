import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FingerprintInputs, type NodeError, type PrepareContext, PrepareError } from '@unroll/engine';
import { codeParts } from '../code/code-parts.ts';
import { namedFile } from '../code/named-file.ts';
import type { WorkerPool } from './worker-pool.ts';

/** The parts of a Python node, as of TypeScript ones, with the version of Python and `requirements.txt`, where there is one. */
export async function pythonParts(pool: WorkerPool, path: string, context: PrepareContext): Promise<FingerprintInputs> {
  const { folder } = context.files;
  const reply = await pool.sources(path);
  if (!reply.ok) throw new PrepareError(unknownSources(path));
  const { code, texts, packages, variables, python } = reply.value as unknown as PythonSources;
  const named = texts.flatMap(([base, text]) => namedFile(text, [base, folder], folder) ?? []);
  const requirements = join(folder, 'requirements.txt');
  const read = new Set([
    ...named.filter((one) => !code.includes(one)),
    ...(existsSync(requirements) ? [requirements] : []),
  ]);
  const sources = { code: [...code].sort(), named: [...read].sort(), packages, variables };
  return { python, ...codeParts(sources, folder, context.environment) };
}

interface PythonSources {
  /** Absolute paths. */
  readonly code: readonly string[];
  /** Texts of the code, each with the folder of the file it stands in. */
  readonly texts: readonly (readonly [folder: string, text: string])[];
  /** Versions of the packages it imports, with what stands for those they need. */
  readonly packages: Readonly<Record<string, string>>;
  /** Of the worker's environment, those that the code reads. */
  readonly variables: Readonly<Record<string, string | null>>;
  /** `3.12` */
  readonly python: string;
}

function unknownSources(path: string): NodeError {
  const message = `what ${path} imports cannot be told: the Python worker ended`;
  return { code: 'WorkerCrashed', message, retryable: true };
}
