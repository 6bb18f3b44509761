import { resolve } from 'node:path';
import { type JsonObject, type JsonValue, parseJson, readNamedFile, thrownText } from '@unroll/engine';
import { nearestPath } from './nearest-path.ts';
import { ProjectFailure } from './project-failure.ts';
import type { System } from './project-host.ts';
import { reasonOf } from './refusal.ts';

/** @throws ProjectFailure when there is no such file, or it cannot be read */
export function readTextFile(path: string, { folder }: Pick<System, 'folder'>): string {
  const full = resolve(folder, path);
  try {
    return readNamedFile(full);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR'].includes(code)) {
      throw new ProjectFailure(`there is no file ${path}`, { code: 'FileNotFound', help: nearestPath(full, path) });
    }
    throw new ProjectFailure(`${path} cannot be read: ${reasonOf(error)}`);
  }
}

/** @throws ProjectFailure naming the file when the text is no JSON */
export function readJson(text: string, path: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ProjectFailure(`${path} is not JSON: ${thrownText(error)}`);
  }
}

/** @throws ProjectFailure naming the file when the value is no object */
export function asMapping(value: JsonValue, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProjectFailure(`${path} must hold a JSON object with the inputs by name`);
  }
  return value as JsonObject;
}

/** Inputs in a file: its JSON object, or the first one of a JSONL file. */
export function readInputsFile(path: string, text: string): JsonObject {
  const first = /\.(jsonl|ndjson)$/.test(path) ? (text.split('\n').find((line) => line.trim() !== '') ?? '') : text;
  return asMapping(readJson(first, path), path);
}
