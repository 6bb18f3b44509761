import type { Connection } from '@unroll/engine';
import { type ConnectionTest, type FeatureTest, modelOpener, testConnection, testFeatures } from '@unroll/nodes';
import { composeConnections, notFound, ProjectFailure } from '@unroll/project';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { TestConnectionSettings } from '../../options/connection-options.ts';
import { createStyle, type Style, usesColor } from '../../text/style.ts';
import { nameOf } from './name-of.ts';

/** `flow connection test`: one cheap real call; with `--model` three short questions to the model. */
export async function test(settings: TestConnectionSettings, io: Io): Promise<number> {
  const name = nameOf(settings);
  if (settings.model === undefined && settings.api !== undefined)
    throw new ProjectFailure('--api needs --model: the API is asked for a model');
  const source = composeConnections(io, io.folder, settings.connectionsFile);
  const connection = source.find(name);
  if (connection === undefined) throw notFound(name, source.names());
  const signal = io.interruption();
  const tested = await testConnection(connection, signal);
  const features = tested.works === false ? undefined : await askedFeatures(settings, connection, io.folder, signal);
  if (settings.json) io.stdout.write(jsonText(name, tested, features));
  else {
    const style = createStyle(usesColor(io.stdout, io, settings.color));
    io.stdout.write(plainText(`${name} (${connection.type})`, tested, style));
    for (const feature of features ?? []) io.stdout.write(featureText(feature, style));
  }
  return tested.works === false || features?.some(({ works }) => !works) ? exitCode.failed : exitCode.done;
}

async function askedFeatures(
  { model, api = 'chat' }: TestConnectionSettings,
  connection: Connection,
  folder: string,
  signal: AbortSignal,
): Promise<readonly FeatureTest[] | undefined> {
  if (model === undefined) return undefined;
  const service = await modelOpener([folder])(connection);
  return service === undefined ? undefined : await testFeatures(service, connection, { api, model }, signal);
}

function featureText({ feature, works, message }: FeatureTest, style: Style): string {
  return `${works ? style.good('✓') : style.bad('✗')} ${feature}: ${message}\n`;
}

function jsonText(
  name: string,
  { works, message, help }: ConnectionTest,
  features: readonly FeatureTest[] | undefined,
): string {
  const more = { ...(help === undefined ? {} : { help }), ...(features === undefined ? {} : { features }) };
  const shown = { name, works: works ?? null, message, ...more };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function plainText(title: string, { works, message, help }: ConnectionTest, style: Style): string {
  const marks = { true: style.good('✓'), false: style.bad('✗'), undefined: style.warn('-') };
  return `${marks[`${works}`]} ${title}: ${message}\n${help === undefined ? '' : `  ${help}\n`}`;
}
