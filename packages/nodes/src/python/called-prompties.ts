import {
  type FlowFiles,
  isPromptyPath,
  type JsonObject,
  type JsonValue,
  type PrepareContext,
  type Prompty,
  readPrompty,
} from '@unroll/engine';
import { moduleFiles } from './module-texts.ts';

/** A prompty as the worker gets it. */
interface CalledPrompty {
  readonly name: string;
  readonly model: Pick<Prompty, 'api' | 'configuration' | 'parameters' | 'response'>;
  readonly inputs: JsonObject;
  readonly outputs: readonly string[];
  readonly sample: JsonValue;
  readonly template: string;
}

/** What code that calls prompties is given: the worker has no reader of YAML, and no connections but those it is sent. */
export interface CalledPrompties {
  /** All of the flow's folder, by their paths. */
  readonly prompties: Readonly<Record<string, CalledPrompty>>;
  /** Names of the connections that they ask, or that the code writes. */
  readonly connections: readonly string[];
}

/**
 * The prompties of the flow's folder, where a Python file of it, or a module of the folder that it imports, may call them.
 *
 * @param path the file, relative to the folder
 */
export function calledPrompties(path: string | undefined, { files, connections }: PrepareContext): CalledPrompties {
  const texts = path === undefined ? [] : moduleFiles(path, files).map(({ text }) => text);
  if (!texts.some((text) => text.includes('Prompty'))) return { prompties: {}, connections: [] };
  const prompties = Object.fromEntries(files.list().flatMap((name) => readCalled(name, files)));
  const isWritten = (name: string): boolean =>
    texts.some((text) => text.includes(`"${name}"`) || text.includes(`'${name}'`));
  return { prompties, connections: [...connectionsOf(prompties), ...connections.names().filter(isWritten)] };
}

function readCalled(name: string, files: FlowFiles): readonly [string, CalledPrompty][] {
  const file = isPromptyPath(name) ? files.read(name) : undefined;
  const read = file === undefined ? undefined : readPrompty(file, files);
  return read?.ok === true ? [[name, forWorker(read.prompty)]] : [];
}

function connectionsOf(prompties: Readonly<Record<string, CalledPrompty>>): readonly string[] {
  return Object.values(prompties).flatMap(({ model }) => {
    const { connection } = model.configuration;
    return typeof connection === 'string' ? [connection] : [];
  });
}

function forWorker({ name, api, configuration, parameters, response, ...rest }: Prompty): CalledPrompty {
  const { inputs, outputs, sample = null, template } = rest;
  const model = { api, configuration, parameters, response };
  return { name, model, inputs, outputs: Object.keys(outputs), sample, template: template.text.trimStart() };
}
