import { ProjectFailure } from '@unroll/project/project-failure';
import type { SettingsOf } from '../command-spec.ts';
import { color, connectionsFile, otlp, runsDir } from './common-options.ts';
import {
  flag,
  flagOff,
  parsedText,
  restOfArguments,
  seconds,
  text,
  texts,
  under,
  wholeNumber,
} from './option-kinds.ts';
import { readRecordedShare } from './recorded-share.ts';
import { runSettings } from './run-options.ts';

/** Settings of `flow serve`. */
export const serveSettings = {
  flows: restOfArguments('[flows...]', 'flows: their folders, or their files'),
  ...under('Who may ask', {
    host: text('--host <address>', 'address to listen on (default: 127.0.0.1, this machine alone)'),
    port: wholeNumber('--port <n>', 'port to listen on (default: 8080); 0 takes any that is free', 0, 65_535),
    apiKeyEnv: text('--api-key-env <name>', 'variable with the key that every request must bring'),
    auth: flagOff('--no-auth', 'serve other machines without a key'),
    allowHost: texts('--allow-host <name>', 'a name under which it is asked; again for each'),
    cors: texts('--cors <origin>', 'an origin whose pages may ask, or "*"; again for each'),
  }),
  ...under('What is recorded', {
    record: parsedText(
      '--record <what>',
      'none, errors, or a share of all requests from 0 to 1 (default: 1)',
      readRecordedShare,
    ),
    redact: texts('--redact <inputs.name>', 'an input that no record holds; again for each'),
    runsDir,
    otlp,
  }),
  ...under('Limits', {
    maxBody: wholeNumber('--max-body <kilobytes>', 'largest body that is read (default: 16384)', 1, 2 ** 30),
    requestTimeout: seconds('--request-timeout <seconds>', 'time a request may take (default: 300)'),
    receiveTimeout: seconds(
      '--receive-timeout <seconds>',
      'time in which a request must have come whole (default: 30)',
    ),
    maxInFlight: wholeNumber('--max-in-flight <n>', 'requests that run at once (default: 64)', 1),
    maxQueue: wholeNumber(
      '--max-queue <n>',
      'requests that wait for their turn, others are answered 503 (default: 256)',
      0,
    ),
    drain: seconds('--drain <seconds>', 'time that requests under way have when it is to end (default: 30)'),
    allowPrivateImages: flag(
      '--allow-private-images',
      'fetch pictures from addresses of this machine and its network too',
    ),
  }),
  ...under('What it runs with', {
    variant: runSettings.variant,
    connectionsFile,
    env: runSettings.env,
    environmentVariables: runSettings.environmentVariables,
    init: texts('--init <name=value...>', 'arguments of the class that is the flow, or a JSON file of them'),
    engine: parsedText(
      '--engine <address>',
      'requests that nobody waits for run on workers over this PostgreSQL: postgres://… (docs/serve.md); flask and fastapi mean nothing here',
      servingEngine,
    ),
  }),
  source: text('--source <flow>', 'the flow, by its name in Prompt flow'),
  skipOpenBrowser: flag('--skip-open-browser', 'taken, and means nothing here: no browser is opened'),
  color,
};

/** Servers of Prompt flow, whose names mean nothing here. */
const foreignServers: readonly string[] = ['', 'flask', 'fastapi'];

/** The PostgreSQL that is named; undefined where a server of Prompt flow is. */
function servingEngine(given: string, name: string): string | undefined {
  if (foreignServers.includes(given)) return undefined;
  if (/^postgres(ql)?:/.test(given)) return given;
  throw new ProjectFailure(
    `${name} takes flask, fastapi or the address of a PostgreSQL (postgres://…), not "${given}"`,
  );
}

export type ServeSettings = SettingsOf<typeof serveSettings>;
