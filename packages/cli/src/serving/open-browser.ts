import { spawn } from 'node:child_process';

/** By platform: what opens an address there, with what stands before it. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...before: string[]]>>> = {
  darwin: ['open'],
  // The first argument in quotes would be the title of a window.
  win32: ['cmd', '/c', 'start', '""'],
};

/** Asks the system to open an address; where there is no browser nothing happens. */
export function openBrowser(address: string): void {
  const [command, ...before] = openers[process.platform] ?? ['xdg-open'];
  // cmd reads quotes as they stand, and takes an & outside of them for the end of the command.
  const isCmd = process.platform === 'win32';
  const opening = spawn(command, [...before, isCmd ? `"${address}"` : address], {
    stdio: 'ignore',
    detached: true,
    windowsVerbatimArguments: isCmd,
  });
  opening.on('error', () => undefined);
  opening.unref();
}
