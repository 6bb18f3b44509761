import { type PrepareContext, type Prompty, readPrompty, type Value, type Values } from '@unroll/engine';

/** A prompty as the worker gets it. */
export interface CalledPrompty {
  readonly name: string;
  readonly model: Pick<Prompty, 'api' | 'configuration' | 'parameters' | 'response'>;
  readonly inputs: Values;
  readonly outputs: readonly string[];
  readonly sample: Value;
  readonly template: string;
}

/** The prompties of the flow's folder, by their paths, for code that may call them: the worker has no reader of YAML. */
export function calledPrompties(
  path: Value | undefined,
  { files }: PrepareContext,
): Readonly<Record<string, CalledPrompty>> {
  const code = typeof path === 'string' ? files.read(path)?.text : undefined;
  if (code?.includes('Prompty') !== true) return {};
  const found = files.list().flatMap((name): [string, CalledPrompty][] => {
    const file = name.endsWith('.prompty') ? files.read(name) : undefined;
    const read = file === undefined ? undefined : readPrompty(file, files);
    return read?.ok === true ? [[name, forWorker(read.prompty)]] : [];
  });
  return Object.fromEntries(found);
}

/** Names of the connections that they ask. */
export function connectionsOf(prompties: Readonly<Record<string, CalledPrompty>>): readonly string[] {
  return Object.values(prompties).flatMap(({ model }) => {
    const { connection } = model.configuration;
    return typeof connection === 'string' ? [connection] : [];
  });
}

function forWorker({ name, api, configuration, parameters, response, ...rest }: Prompty): CalledPrompty {
  const { inputs, outputs, sample = null, template } = rest;
  const model = { api, configuration, parameters, response };
  return { name, model, inputs, outputs, sample, template: template.text.trimStart() };
}
