import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { isMapping, type JsonObject, listOf, parseJson, stringifyJson } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { reasonOf } from '../host/refusal.ts';

/**
 * Queries that models made, a line for each request that was sent: asked once, never again. A line goes to the disk
 * as soon as it is there, so that a build that was stopped goes on; one that was cut off is asked again.
 */
export class KeptQueries {
  private readonly path: string;
  private readonly known: Map<string, readonly string[]>;

  /** @param path absolute */
  constructor(path: string) {
    this.path = path;
    this.known = new Map(existsSync(path) ? readFileSync(path, 'utf8').split('\n').flatMap(keptLine) : []);
  }

  find(request: JsonObject): readonly string[] | undefined {
    return this.known.get(keyOf(request));
  }

  /** @throws ProjectFailure where the file cannot be written */
  add(request: JsonObject, tool: string, queries: readonly string[]): void {
    const key = keyOf(request);
    this.known.set(key, queries);
    try {
      // A line that was cut off stays a line of its own.
      appendFileSync(this.path, `\n${stringifyJson({ key, tool, queries })}`);
    } catch (error) {
      throw new ProjectFailure(`${this.path} cannot be written: ${reasonOf(error)}`, { code: 'OutputNotWritable' });
    }
  }
}

function keyOf(request: JsonObject): string {
  return createHash('sha256').update(stringifyJson(request)).digest('hex').slice(0, 32);
}

function keptLine(line: string): readonly (readonly [string, readonly string[]])[] {
  if (line.trim() === '') return [];
  try {
    const value = parseJson(line);
    if (!isMapping(value) || typeof value['key'] !== 'string') return [];
    return [[value['key'], listOf(value['queries'] ?? []).map(String)]];
  } catch {
    return [];
  }
}
