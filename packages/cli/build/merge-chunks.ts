import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

interface Piece {
  /** The names of the files that are loaded with it. */
  readonly imports: readonly string[];
  readonly exports: readonly string[];
  /** The source it begins with; a chunk, which others share, has none. */
  readonly source: string | undefined;
}

type Pieces = ReadonlyMap<string, Piece>;

/**
 * Merges the chunks that the same starts load. esbuild makes one for each set of places that import what is in it: ninety for
 * every start, and to find and link a file takes Node longer than to run what is in most of them.
 *
 * @param outdir the folder of the bundle, flat, from the root
 * @param starts for each what it loads: sources of the bundle's entry and of what is imported when it is needed
 * @param options of the bundle, but for what goes in and comes out
 */
export async function mergeChunks(
  outdir: string,
  { outputs }: Metafile,
  starts: readonly (readonly string[])[],
  options: BuildOptions,
): Promise<void> {
  const pieces = piecesOf(outputs);
  const groups = groupsOf(pieces, starts);
  const mergedInto = new Map<string, string>();
  for (const [at, group] of groups.entries()) for (const name of group) mergedInto.set(name, `merged-${at}.js`);
  await Promise.all(groups.map((group, at) => merge(group, `merged-${at}.js`, { outdir, pieces, options })));
  await Promise.all([...mergedInto.keys()].map((name) => rm(join(outdir, name))));
  for (const name of (await readdir(outdir)).filter((file) => file.endsWith('.js'))) {
    const text = await readFile(join(outdir, name), 'utf8');
    await writeFile(join(outdir, name), pointedToMerged(text, mergedInto));
  }
}

function piecesOf(outputs: Metafile['outputs']): Pieces {
  return new Map(
    Object.entries(outputs).map(([path, { imports, exports, entryPoint }]) => [
      basename(path),
      {
        imports: imports
          .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
          .map((one) => basename(one.path)),
        exports,
        source: entryPoint,
      },
    ]),
  );
}

/** The chunks that are loaded by the same starts, each after what it imports. */
function groupsOf(pieces: Pieces, starts: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const loaded = starts.map((sources) => {
    const names = new Set<string>();
    for (const source of sources) load(pieceOf(source, pieces), pieces, names);
    return names;
  });
  const chunks = [...new Set(loaded.flatMap((names) => [...names]))].filter(
    (name) => pieces.get(name)?.source === undefined,
  );
  const groups = Map.groupBy(chunks, (name) => loaded.map((names) => names.has(name)).join());
  return [...groups.values()].filter(({ length }) => length > 1);
}

function pieceOf(source: string, pieces: Pieces): string {
  for (const [name, piece] of pieces) if (piece.source?.endsWith(source) === true) return name;
  throw new Error(`nothing of the bundle begins with ${source}: it is imported with what needs it, or was renamed`);
}

/** Adds the file and all that is loaded with it, each after what it imports. */
function load(name: string, pieces: Pieces, loaded: Set<string>, under = new Set<string>()): void {
  if (under.has(name)) return;
  under.add(name);
  for (const imported of pieces.get(name)?.imports ?? []) load(imported, pieces, loaded, under);
  loaded.add(name);
}

async function merge(
  group: readonly string[],
  into: string,
  { outdir, pieces, options }: { readonly outdir: string; readonly pieces: Pieces; readonly options: BuildOptions },
): Promise<void> {
  const exporting = group.map((name) => {
    const names = (pieces.get(name)?.exports ?? []).map((exported) => `${exported} as ${mergedName(exported, name)}`);
    return `export { ${names.join(', ')} } from './${name}';`;
  });
  await build({
    ...options,
    stdin: { contents: exporting.join('\n'), resolveDir: outdir },
    outfile: join(outdir, into),
    bundle: true,
    legalComments: 'inline',
    plugins: [
      {
        name: 'the chunks of one group',
        setup(building) {
          building.onResolve({ filter: /.*/ }, ({ path }) =>
            group.includes(basename(path))
              ? { path: join(outdir, basename(path)), sideEffects: true }
              : { path, external: true },
          );
          building.onLoad({ filter: /.*/ }, async ({ path }) => ({
            contents: withSources(await readFile(path, 'utf8')),
          }));
        },
      },
    ],
  });
  const text = await readFile(join(outdir, into), 'utf8');
  await writeFile(join(outdir, into), text.replaceAll(/^\/\/! (?=\S+$)/gm, '// '));
}

/** The places of its sources are kept, as comments are that a licence asks to keep; and `require` where it is used. */
function withSources(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const isRequireUsed = rest.some((line) => /\brequire\b/.test(line));
  const contents = first.startsWith('const require = ') && !isRequireUsed ? rest.join('\n') : text;
  return contents.replaceAll(/^\/\/ (?=\S+\.(?:[cm]?[jt]s|json)$)/gm, '//! ');
}

function mergedName(name: string, chunk: string): string {
  return `${name}_${basename(chunk, '.js').replaceAll(/\W/g, '_')}`;
}

/** What is imported from a chunk is imported from the file it is in now. */
function pointedToMerged(text: string, mergedInto: ReadonlyMap<string, string>): string {
  const alone = new Set<string>();
  const pointed = text.replaceAll(
    /^import (?:\{([^}]*)\} from )?"\.\/(chunk-\w+\.js)";\n/gm,
    (statement, names: string | undefined, chunk: string) => {
      const into = mergedInto.get(chunk);
      if (into === undefined) return statement;
      if (names !== undefined) return `import {${renamed(names, chunk)}} from "./${into}";\n`;
      if (alone.has(into)) return '';
      alone.add(into);
      return `import "./${into}";\n`;
    },
  );
  const left = pointed.match(/"\.\/(chunk-\w+\.js)"/g)?.find((quoted) => mergedInto.has(quoted.slice(3, -1)));
  if (left !== undefined) throw new Error(`${left} was merged, and is imported in a way that is not known here`);
  return pointed;
}

/** @param names as they stand between the braces of an import: `one,\n  other as another` */
function renamed(names: string, chunk: string): string {
  return names
    .split(',')
    .map((one) => {
      const [name = '', as = name] = one.trim().split(' as ');
      return `\n  ${mergedName(name, chunk)} as ${as}`;
    })
    .join(',')
    .concat('\n');
}
