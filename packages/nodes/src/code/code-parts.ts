import { relative } from 'node:path';
import { type FingerprintInputs, stringifyJson, textHash } from '@unroll/engine';
import { contentDigest, shown, textFileDigest } from '../identity/file-digest.ts';

/** What a piece of code is made of; paths are absolute. */
export interface CodeSources {
  /** The node's file and all of the user's files it imports, directly or not. */
  readonly code: readonly string[];
  /** Files and folders of the flow that the code names in a text: data, templates, an index. */
  readonly named: readonly string[];
  /** Packages it imports, with their versions where they are known. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Variables of the process's environment that the code reads; null where they are not set. */
  readonly variables?: Readonly<Record<string, string | null>>;
}

/**
 * The parts of a code node: `code search.ts`, `reads knowledge/faq.jsonl`, `package lodash`, `variables` (of the flow's environment), `variable
 * TONE` (of the process's, where the code reads it). Those named like a secret are left out.
 */
export function codeParts(
  { code, named, packages = {}, variables: read = {} }: CodeSources,
  folder: string,
  environment: Readonly<Record<string, string>>,
): FingerprintInputs {
  const told = (path: string): string => shown(relative(folder, path));
  const variables = Object.entries(environment).filter(([name]) => !secretName.test(name));
  return {
    ...Object.fromEntries(code.map((path) => [`code ${told(path)}`, textFileDigest(path)])),
    ...Object.fromEntries(named.map((path) => [`reads ${told(path)}`, contentDigest(path) ?? 'missing'])),
    ...Object.fromEntries(Object.entries(packages).map(([name, version]) => [`package ${name}`, version])),
    ...Object.fromEntries(readVariables(read, environment)),
    ...(variables.length === 0 ? {} : { variables: textHash(stringifyJson(Object.fromEntries(variables.sort()))) }),
  };
}

/** The flow's own variables are told together; those of the process one by one. */
function readVariables(
  read: Readonly<Record<string, string | null>>,
  environment: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  return Object.entries(read)
    .filter(([name]) => !(name in environment) && !secretName.test(name))
    .map(([name, value]) => [`variable ${name}`, value === null ? 'not set' : textHash(value)]);
}

/** A key that was renewed changes no answer, and a digest of a short secret would tell it. */
const secretName = /key|token|secret|password|passwd|credential|connection_string/i;
