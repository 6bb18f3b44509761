import { script } from '@bomb.sh/tab';

/** Prints on stdout what a shell loads; the script asks `flow completion complete -- WORDS` at each tab. */
export function printScript(shell: 'bash' | 'zsh' | 'fish' | 'powershell'): void {
  script(shell, 'flow', 'flow completion');
}
