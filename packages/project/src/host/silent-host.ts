import { type ProjectHost, withNotices } from './project-host.ts';

/** A host that is told nothing but damage until `speak`: where what is wrong was told before. */
export function silentHost(host: ProjectHost): { readonly host: ProjectHost; readonly speak: () => void } {
  let isSilent = true;
  const quiet = withNotices(host, (notice) => !isSilent || notice.kind === 'damage');
  const speak = (): void => {
    isSilent = false;
  };
  return { host: quiet, speak };
}
