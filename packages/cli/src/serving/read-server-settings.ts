import { ProjectFailure } from '@unroll/project';
import type { ServerSettings } from '@unroll/server';
import type { Io } from '../io.ts';
import type { ServeSettings } from '../options/serve-options.ts';

/** @throws ProjectFailure where the variable that is to hold the key holds none */
export function readServerSettings(settings: ServeSettings, io: Io): ServerSettings {
  const { host, port, auth, allowHost, cors, maxBody, requestTimeout, receiveTimeout, maxInFlight, maxQueue, drain } =
    settings;
  const given = {
    host,
    port,
    key: keyOf(settings, io),
    maxInFlight,
    maxQueue,
    maxBodyBytes: maxBody === undefined ? undefined : maxBody * 1024,
    requestTimeoutMs: requestTimeout,
    receiveTimeoutMs: receiveTimeout,
    drainMs: drain,
  };
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...defined, isOpen: !auth, hosts: [...allowHost], origins: [...cors] };
}

function keyOf({ apiKeyEnv }: ServeSettings, { environment, redactor }: Io): string | undefined {
  if (apiKeyEnv === undefined) return undefined;
  const key = environment[apiKeyEnv] ?? '';
  if (key === '') throw new ProjectFailure(`the variable ${apiKeyEnv}, which --api-key-env names, holds no key`);
  redactor.learn(key);
  return key;
}
