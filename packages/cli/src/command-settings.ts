import { ProjectFailure } from '@unroll/project';
import * as z from 'zod';
import { type CommandCall, isOption, type SettingSpecs, type SettingsOf } from './command-spec.ts';

/**
 * The settings of a command, of what was given to it.
 *
 * @throws ProjectFailure with everything that cannot be read
 */
export function readSettings<Specs extends SettingSpecs>(specs: Specs, call: CommandCall): SettingsOf<Specs> {
  const named = Object.entries(specs);
  const positions = named.flatMap(([name, spec]) => (isOption(spec) ? [] : [name]));
  const given = named.map(([name, spec]) => [
    name,
    isOption(spec) ? call.optionValue(spec) : call.arguments[positions.indexOf(name)],
  ]);
  const schema = z.object(Object.fromEntries(named.map(([name, spec]) => [name, spec.schema()])));
  const read = schema.safeParse(Object.fromEntries(given));
  // Each value has been read by the schema of its own spec.
  if (read.success) return read.data as SettingsOf<Specs>;
  const { issues } = read.error;
  const helps = issues.flatMap((issue) => (issue.code === 'custom' ? (issue.params?.['help'] ?? []) : []));
  throw new ProjectFailure(issues.map(({ message }) => message).join('\n'), {
    help: helps.length === 0 ? undefined : helps.join('\n'),
  });
}
