import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Float, type JsonObject, type JsonValue, jsonOrText, TypedFloat } from '@unroll/engine';
import { ProjectFailure, readInputsFile, readTextFile } from '@unroll/project';
import type { Io } from '../io.ts';

/**
 * Inputs from `--inputs FILE`, as its JSON has them, and from `--input name=value`, which are texts and win over those of
 * the file.
 *
 * @throws ProjectFailure when a file cannot be read or a value has no name
 */
export async function readInputs(
  given: { readonly file: string | undefined; readonly pairs: readonly string[] },
  io: Io,
): Promise<{ readonly fromFile: JsonObject; readonly fromPairs: JsonObject }> {
  refusePairs(given.file, io);
  const fromFile = given.file === undefined ? {} : readInputsFile(given.file, await textOfFile(given.file, io));
  return { fromFile, fromPairs: readPairs(given.pairs, io) };
}

/** Prompt flow's `--inputs name=value` is `--input` here. */
function refusePairs(file: string | undefined, io: Io): void {
  const [, name] = /^([^=/\\]+)=/.exec(file ?? '') ?? [];
  if (file === undefined || name === undefined || existsSync(resolve(io.folder, file))) return;
  throw new ProjectFailure(`--inputs takes a file, not "${file}"`, {
    help: `One value is given with --input ${name}=…`,
  });
}

/** `name=value` pairs; `name=@file` is the text of a file. */
export function readPairs(pairs: readonly string[], io: Io): JsonObject {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new ProjectFailure(`"${pair}" is not name=value`, { help: pairHelp(pair) });
      const value = pair.slice(at + 1);
      return [pair.slice(0, at), value.startsWith('@') ? readTextFile(value.slice(1), io) : value];
    }),
  );
}

/** A Japanese keyboard types the sign in full width, which looks the same. */
function pairHelp(pair: string): string {
  const [, name] = /^([^＝]+)＝/u.exec(pair) ?? [];
  return name === undefined
    ? 'For instance: --input "query=…"'
    : `The sign behind ${name} is a full-width one: write ${name}=… with the half-width "=".`;
}

/**
 * Arguments of a class, from JSON files and from `name=value` pairs, which win: their values are JSON where they read as JSON, else
 * texts.
 */
export function readInit(given: readonly string[], io: Io): JsonObject {
  const files = given.filter((one) => !one.includes('=') || existsSync(resolve(io.folder, one)));
  const fromFiles = files.map((file) => readInputsFile(file, readTextFile(requireFile(file, io), io)));
  const pairs = readPairs(
    given.filter((one) => !files.includes(one)),
    io,
  );
  const values = Object.entries(pairs).map(([name, text]) => [name, typedValue(String(text))]);
  return Object.assign({}, ...fromFiles, Object.fromEntries(values)) as JsonObject;
}

function typedValue(text: string): JsonValue {
  const value = jsonOrText(text);
  const isFloat =
    typeof value === 'number' ? !Number.isInteger(value) && Number.isFinite(value) : value instanceof Float;
  return isFloat ? new TypedFloat(text.trim()) : value;
}

function requireFile(file: string, io: Io): string {
  if (existsSync(resolve(io.folder, file))) return file;
  throw new ProjectFailure(`"${file}" is not name=value, and no file`, {
    help: 'For instance: --init "mark=2", or a JSON file of names and values',
  });
}

async function textOfFile(file: string, io: Io): Promise<string> {
  return file === '-' ? io.readStdin() : readTextFile(file, io);
}
