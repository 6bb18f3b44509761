import type { ConnectionTest, FeatureTest } from '@unroll/nodes';
import { testNamedConnection } from '@unroll/project/kept-connections';
import { exitCode } from '../../exit-code.ts';
import { heardSystem } from '../../heard-system.ts';
import type { Io } from '../../io.ts';
import type { TestConnectionSettings } from '../../options/connection-options.ts';
import { type Style, styleOf } from '../../text/style.ts';
import { nameOf } from './name-of.ts';

/** `flow connection test`: one cheap real call; with `--model` three short questions to the model. */
export async function test(settings: TestConnectionSettings, io: Io): Promise<number> {
  const name = nameOf(settings);
  const {
    type,
    test: tested,
    features,
  } = await testNamedConnection(name, settings, io.interruption(), heardSystem(settings, io));
  if (settings.json) io.stdout.write(jsonText(name, tested, features));
  else {
    const style = styleOf(io.stdout, io, settings.color);
    io.stdout.write(plainText(`${name} (${type})`, tested, style));
    for (const feature of features ?? []) io.stdout.write(featureText(feature, style));
  }
  return tested.works === false || features?.some(({ works }) => !works) ? exitCode.failed : exitCode.done;
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
