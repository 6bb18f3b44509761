import type { CommandSpec, Execute } from '../command-spec.ts';
import { completeWords } from '../completion/complete-words.ts';
import { printScript } from '../completion/print-script.ts';
import { exitCode } from '../exit-code.ts';
import type { completionSettings } from '../options/flow-options.ts';

/** `flow completion`: the script a shell loads, which asks the same command what may stand in place of a word. */
export function completionOf(commands: readonly CommandSpec[]): Execute<typeof completionSettings> {
  return ({ shell, words }, { stdout, folder, environment }) => {
    // The library prints by itself: only once stdout is opened here is it heard that it takes no more.
    stdout.control('');
    if (shell === 'complete') completeWords(words, { commands, folder, environment });
    else printScript(shell);
    return Promise.resolve(exitCode.done);
  };
}
