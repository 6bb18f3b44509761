import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Connection, nearestName, PrepareError } from '@unroll/engine';
import { isPackageName, missingProvider, packagePlaces, providerPackage } from '../extras/installed-package.ts';
import { modelProviders } from '../extras/model-providers.ts';
import { checkedFetch } from './checked-fetch.ts';
import type { Provider } from './language-model.ts';
import { writtenSettings } from './written-settings.ts';

/** Versions of the interface that we speak. */
const knownVersions: readonly string[] = ['v3', 'v4'];

/**
 * The provider that a connection names: its package is loaded from the first of the folders that has it, else from where we are
 * installed. It asks through our own door to the network.
 *
 * @throws PrepareError where the package is not installed, has no such export, or speaks another version of the interface
 */
export async function openProvider(connection: Connection, folders: readonly string[]): Promise<Provider> {
  const named = providerPackage(connection)?.name ?? '';
  if (!isPackageName(named)) throw unusable(connection, `package: expected the name of a package, not "${named}"`);
  const missing = missingProvider(connection, folders);
  if (missing !== undefined) {
    throw new PrepareError({
      code: 'PackageMissing',
      message: `${missing.message}: ${missing.install}`,
      retryable: false,
    });
  }
  const create = factoryIn(await loaded(named, connection, folders), named, connection);
  const provider = create({ ...writtenSettings(connection), fetch: await checkedFetch(connection) });
  const version = provider.specificationVersion ?? provider.languageModel('unnamed').specificationVersion;
  if (knownVersions.includes(version)) return provider;
  throw unusable(
    connection,
    `${named} speaks version ${version} of the AI SDK's model interface; ${knownVersions.join(' and ')} are known. Install another version of the package: npm install ${named}@latest`,
  );
}

type Factory = (settings: Readonly<Record<string, unknown>>) => Provider;

type Exports = Readonly<Record<string, unknown>>;

async function loaded(name: string, connection: Connection, folders: readonly string[]): Promise<Exports> {
  let problem: unknown;
  for (const place of packagePlaces(folders)) {
    try {
      return (await import(pathToFileURL(createRequire(place).resolve(name)).href)) as Exports;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') problem ??= error;
    }
  }
  throw unusable(connection, `${name} cannot be loaded: ${problem instanceof Error ? problem.message : 'not found'}`);
}

function factoryIn(exports: Exports, name: string, connection: Connection): Factory {
  const named = connection.configs['export'] ?? modelProviders[connection.type]?.factory;
  const all = Object.keys(exports).filter((key) => typeof exports[key] === 'function');
  const made = named === undefined ? all.filter((key) => /^create[A-Z]/.test(key)) : [named];
  const [only] = made;
  if (made.length === 1 && only !== undefined && typeof exports[only] === 'function') return exports[only] as Factory;
  if (named === undefined) {
    throw unusable(
      connection,
      `export: which of ${name} makes the provider? It has ${all.join(', ') || 'no function'}`,
    );
  }
  const near = nearestName(named, all);
  throw unusable(
    connection,
    `export: ${name} has no function "${named}". ${near === undefined ? `It has ${all.join(', ')}` : `Did you mean "${near}"?`}`,
  );
}

function unusable({ name }: Connection, problem: string): PrepareError {
  return new PrepareError({ code: 'InvalidConnection', message: `connection "${name}": ${problem}`, retryable: false });
}
