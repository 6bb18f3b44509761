import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { notify, ProjectFailure, type ProjectHost, readDotenvFile } from '@unroll/project';
import { withoutQuotes } from '../options/without-quotes.ts';

/** Variables from `NAME=value` and from `.env` files, later ones win. */
export function readEnvironment(given: readonly string[], host: ProjectHost): Readonly<Record<string, string>> {
  return Object.assign({}, ...given.map((text) => readOne(text, host)));
}

function readOne(text: string, host: ProjectHost): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at > 0) return { [text.slice(0, at)]: withoutQuotes(text.slice(at + 1)) };
  const path = resolve(host.folder, text);
  if (existsSync(path) && statSync(path).isFile())
    return readDotenvFile(text, host, (message) => notify(host, { kind: 'warning', message }));
  throw new ProjectFailure(`"${text}" is neither NAME=value nor a file`, {
    help: 'For instance: --env LANG=ja. What takes several values comes after the flow, or before another option.',
  });
}
