import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Connection, type ConnectionDoubt, PrepareError } from '@unroll/engine';
import { isPackageName, providerPackage } from '../extras/installed-package.ts';
import { maxBytesOf } from '../http/answer-limit.ts';
import { readScript } from '../scripted/read-script.ts';

/** What keeps its service from being opened: a script that is none, a limit that is no number, a package by another name, no model in a file. */
export function checkOpening(connection: Connection, path: ConnectionDoubt['path']): readonly ConnectionDoubt[] {
  const { type, configs } = connection;
  const { file, model } = configs;
  if (type === 'llama_cpp' && model !== undefined && !existsSync(resolve(model))) {
    const message = `there is no file "${model}", which is the model of connection "${connection.name}"`;
    return [{ isCertain: true, message, help: 'its path begins in the folder where flow is started', path }];
  }
  const script = type === 'scripted' && file !== undefined ? refusalBy(() => readScript(file)) : undefined;
  const refused = script ?? (type === 'scripted' ? undefined : refusalBy(() => maxBytesOf(connection)));
  if (refused !== undefined) {
    const { problem: message, expected: help } = refused.parts ?? {
      problem: refused.message,
      expected: 'see docs/connections.md',
    };
    return [{ isCertain: true, message, help, path }];
  }
  const { name = '' } = (type === 'scripted' ? undefined : providerPackage(connection)) ?? {};
  if (name === '' || isPackageName(name)) return [];
  const message = `package of connection "${connection.name}" is no name of a package: "${name}"`;
  return [{ isCertain: true, message, help: 'for instance "@ai-sdk/openai-compatible"', path }];
}

function refusalBy(open: () => unknown): PrepareError | undefined {
  try {
    open();
    return undefined;
  } catch (error) {
    if (error instanceof PrepareError) return error;
    throw error;
  }
}
