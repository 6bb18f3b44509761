import { command } from './command.ts';
import type { CommandSpec } from './command-spec.ts';
import { buildSettings } from './options/build-options.ts';
import { serveSettings } from './options/serve-options.ts';
import { viewSettings } from './options/view-options.ts';

export const serveCommand: CommandSpec = command({
  name: 'serve',
  summary: 'answer requests over HTTP with flows',
  description:
    "Serves flows over HTTP until it is told to end; requests under way are finished then. One flow is served on Prompt flow's routes too, so that its clients need no change. Every request is recorded as a row.",
  settings: serveSettings,
  examples: [
    'flow serve my-flow',
    'flow serve flows/privacy-agent flows/tool-agent --port 9000',
    'flow serve my-flow --host 0.0.0.0 --api-key-env SERVE_KEY',
    'flow serve --source my-flow --port 8080 --skip-open-browser',
  ],
  load: async () => (await import('./commands/serve.ts')).serve,
});

export const devCommand: CommandSpec = command({
  name: 'dev',
  summary: 'serve flows while they are edited',
  description:
    'Serves flows as flow serve does, and watches their folders and the files they include. Each change is checked and, without mistakes, served from the next request on; with mistakes the version before is served on, and the terminal and the page show them with their places.',
  settings: serveSettings,
  examples: ['flow dev my-flow', 'flow dev flows/privacy-agent flows/tool-agent --port 9000'],
  load: async () => (await import('./commands/dev.ts')).dev,
});

export const viewCommand: CommandSpec = command({
  name: 'view',
  summary: 'look at runs in a browser',
  description:
    'Opens the studio: runs as they go, what came of each and where its rows went wrong first, every row with its prompts and turns. Serves this machine alone, to who has the address with its token, until it is told to end. Nothing is fetched from elsewhere.',
  settings: viewSettings,
  examples: [
    'flow view',
    'flow view latest',
    'flow view right guideline-first --export site',
    'flow view flows/privacy-agent --no-open --port 4100',
    'flow view --read-only',
  ],
  load: async () => (await import('./commands/view.ts')).view,
});

export const buildCommand: CommandSpec = command({
  name: 'build',
  summary: 'write a folder that serves a flow, by itself or as an image',
  description:
    'Writes a folder with the flow and what it includes, a package.json that pins this version of flow, its package-lock.json, a Dockerfile and a README. Connections go along without their secrets, which are taken from variables there. A file that holds a secret is told, and nothing is written.',
  settings: buildSettings,
  examples: [
    'flow build my-flow --output built',
    'flow build --source my-flow --output built --format docker',
    'flow build my-flow --output built --packages release/packages --force',
  ],
  load: async () => (await import('./commands/build.ts')).build,
});
