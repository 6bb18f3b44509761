import { shellWord } from '@unroll/engine/values';
import type { NeededVariable } from './built-connections.ts';

/** What a folder that serves a flow is made of. */
export interface Deployment {
  /** Folder of the flow in it. */
  readonly name: string;
  /** The flow as `flow serve` is given it: its folder, or a file in it. */
  readonly served: string;
  readonly hasPython: boolean;
  /** Whether what Python needs can be installed before the flow is there: a change of the flow alone then installs nothing again. */
  readonly isInstalledFirst: boolean;
  readonly hasConnections: boolean;
  /** Whether packages lie beside it as files. */
  readonly hasPackageFiles: boolean;
  readonly hasLock: boolean;
  readonly variables: readonly NeededVariable[];
}

/** The variable with the key that requests bring. */
const serverKey = 'SERVE_KEY';

/** The image runs as a user of its own, takes SIGTERM itself and says whether it is ready. */
export function dockerfileOf(deployment: Deployment): string {
  const { served, hasConnections, hasPackageFiles, hasLock, hasPython } = deployment;
  const python =
    'RUN apt-get update \\\n  && apt-get install --yes --no-install-recommends python3 python3-venv \\\n  && rm -rf /var/lib/apt/lists/*';
  return [
    'FROM node:24-bookworm-slim',
    ...(hasPython ? [python] : []),
    'WORKDIR /app',
    'ENV NODE_ENV=production',
    `COPY package.json ${hasLock ? 'package-lock.json ' : ''}./`,
    ...(hasPackageFiles ? ['COPY packages ./packages'] : []),
    `RUN ${hasLock ? 'npm ci' : 'npm install'} --omit=dev`,
    ...flowLayers(deployment),
    ...(hasConnections ? ['COPY connections.yaml ./'] : []),
    'RUN mkdir .flow && chown node:node .flow',
    'USER node',
    'EXPOSE 8080',
    `HEALTHCHECK CMD ${json(['node', '-e', "fetch('http://127.0.0.1:8080/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"])}`,
    `CMD ${json(['node_modules/.bin/flow', 'serve', served, '--host', '0.0.0.0', '--api-key-env', serverKey])}`,
    '',
  ].join('\n');
}

function flowLayers({ name, served, hasPython, isInstalledFirst }: Deployment): readonly string[] {
  const copy = (path: string): string => {
    return `COPY ${json([keptWord(path).replaceAll('[', '[[]'), keptWord(`./${name}/`)])}`;
  };
  const setUp = (flow: string): string => `RUN ${json(['node_modules/.bin/flow', 'python', 'setup', flow])}`;
  if (!hasPython) return [copy(name)];
  return isInstalledFirst ? [copy(`${name}/requirements.txt`), setUp(name), copy(name)] : [copy(name), setUp(served)];
}

/** As words of COPY are read, in a list too: variables and quotes mean something there, and in what is copied patterns. */
function keptWord(path: string): string {
  return path.replaceAll(/[\\"'$]/g, '\\$&');
}

function json(words: readonly string[]): string {
  return JSON.stringify(words);
}

/** What is made here, and what may lie here, but goes into no image. */
export const dockerignore = [
  '**/node_modules',
  '**/.flow',
  '**/.env',
  '**/.env.*',
  '**/.git',
  '**/__pycache__',
  'Dockerfile',
  '.dockerignore',
  'README.md',
  '',
].join('\n');

export function readmeOf({ name, served, hasPython, hasLock, variables }: Deployment): string {
  const install = hasLock ? 'npm ci' : 'npm install';
  const setup = hasPython ? ` && npx flow python setup ${shellWord(served)}` : '';
  const tag = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(name) ? name : 'my-flow';
  const named = [...variables, { name: serverKey, about: 'the key that requests bring to the image; yours to choose' }];
  return [
    `# ${name}`,
    '',
    'Written by `flow build`. Here it runs with Node 22.19 or newer:',
    '',
    `    ${install}${setup} && npx flow serve ${shellWord(served)}`,
    '',
    'and as an image:',
    '',
    `    docker build --tag ${tag} .`,
    `    docker run --publish 8080:8080${named.map((variable) => ` --env ${variable.name}`).join('')} ${tag}`,
    '',
    'Either is asked like this:',
    '',
    `    curl localhost:8080/score -H "authorization: Bearer $${serverKey}" -H 'content-type: application/json' -d '{…}'`,
    '',
    '| variable | what it is |',
    '|---|---|',
    ...named.map((variable) => `| \`${variable.name}\` | ${variable.about} |`),
    '',
    'No secret is in this folder. Requests are recorded in `.flow/runs`: mount a volume at `/app/.flow` to keep them, one that user 1000 may write.',
    '',
  ].join('\n');
}
