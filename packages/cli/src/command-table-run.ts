import { command } from './command.ts';
import type { CommandSpec } from './command-spec.ts';
import { chatSettings } from './options/flow-options.ts';
import { planSettings, runSettings } from './options/run-options.ts';

const run = command({
  name: 'run',
  summary: 'run a flow on one set of inputs, or on all rows of a dataset',
  description:
    'Runs a flow on one set of inputs, or with --data on every row of a dataset. Every node, what went in and what came out, is recorded.',
  settings: runSettings,
  examples: [
    'flow run flows/privacy-agent --input "query=May we mail our customers?"',
    'flow run my-flow --inputs inputs.json --json',
    'flow run my-flow --node search --input "query=consent"',
    'flow run my-flow --data questions.jsonl --concurrency 16',
    "flow run my-flow --data questions.csv --column-mapping query='${data.question}' --sample 20",
    "flow run evaluate --data truth.jsonl --run latest --column-mapping answer='${run.outputs.answer}'",
    'flow run --resume 20261121-064500-my-flow-a1b2',
  ],
  load: async () => (await import('./commands/run.ts')).run,
});

/** With `--json` what ends the command is JSON too, also where its options cannot be read. */
export const runCommand: CommandSpec = {
  ...run,
  run: async (call) => {
    try {
      return await run.run(call);
    } catch (error) {
      if (call.optionValue(runSettings.json) !== true) throw error;
      const { data, run: earlier, file, resume, retryFailed } = runSettings;
      const isBulk = [data, earlier, file, resume, retryFailed].some(
        (option) => call.optionValue(option) !== undefined,
      );
      return (await import('./commands/run.ts')).reportFailure(error, isBulk, call.io);
    }
  },
};

export const planCommand: CommandSpec = command({
  name: 'plan',
  summary: 'tell what a run over data would ask of models and cost, before anything is spent',
  description:
    'Goes through the rows without running them: calls, tokens and cost of each node, where a loop or a condition decides from least to most, and how many rows --since would answer.',
  settings: planSettings,
  examples: [
    'flow plan my-flow --data questions.jsonl',
    'flow plan my-flow --data questions.jsonl --since latest --json',
  ],
  load: async () => (await import('./commands/plan.ts')).plan,
});

export const chatCommand = command({
  name: 'chat',
  summary: 'talk with a chat flow in the terminal',
  description:
    'Talks with a flow: each line is a turn, the answer is shown as it comes, what was said is handed to the next turn. Every turn is recorded as a row. Lines may be piped in.',
  settings: chatSettings,
  examples: ['flow chat my-chat', "printf 'hello\\nand again\\n' | flow chat my-chat"],
  load: async () => (await import('./commands/chat.ts')).chat,
});
