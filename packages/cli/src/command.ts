import { type CommandSpec, type Execute, isArgument, isOption, type SettingSpecs } from './command-spec.ts';

type CommandDefinition<Specs extends SettingSpecs> = Omit<CommandSpec, 'arguments' | 'options' | 'commands' | 'run'> & {
  readonly settings: Specs;
  load(): Promise<Execute<Specs>>;
};

/** A command whose settings are read by their specs before its work is begun. */
export function command<Specs extends SettingSpecs>({
  settings,
  load,
  ...about
}: CommandDefinition<Specs>): CommandSpec & Required<Pick<CommandSpec, 'run'>> {
  const specs = Object.values(settings);
  return {
    ...about,
    arguments: specs.filter(isArgument),
    options: specs.filter(isOption),
    run: async (call) => {
      const { readSettings } = await import('./command-settings.ts');
      const read = readSettings(settings, call);
      const execute = await load();
      return await execute(read, call.io);
    },
  };
}

/** A command that has others below it. */
export function commandGroup(
  about: Omit<CommandSpec, 'arguments' | 'options' | 'aliases' | 'run'> & Required<Pick<CommandSpec, 'commands'>>,
): CommandSpec {
  return { ...about, arguments: [], options: [] };
}
