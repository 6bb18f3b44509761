interface Way {
  /** What code gets at through it. */
  readonly what: string;
  /** Functions and classes through which it does. */
  readonly names: string;
  /** Property of the module that holds them; absent: the module itself. */
  readonly of?: string;
  /** Exports of the module that lead to those of the property. */
  readonly exports?: string;
}

const namesOfDns =
  'lookup lookupService resolve resolve4 resolve6 resolveAny resolveCname resolveMx resolveNs resolveSrv resolveTxt reverse Resolver';

/** Functions of Node's modules through which code gets at what nobody can compare. */
export const unseenWays: Readonly<Record<string, Way>> = {
  child_process: { what: 'child process', names: 'spawn spawnSync exec execSync execFile execFileSync fork' },
  cluster: { what: 'child process', names: 'fork' },
  http: { what: 'network', names: 'request get ClientRequest' },
  https: { what: 'network', names: 'request get' },
  http2: { what: 'network', names: 'connect' },
  net: { what: 'network', names: 'connect', of: 'Socket', exports: 'connect createConnection Socket' },
  dgram: { what: 'network', names: 'bind connect send', of: 'Socket', exports: 'createSocket Socket' },
  dns: { what: 'network', names: namesOfDns },
  'dns/promises': { what: 'network', names: namesOfDns },
  worker_threads: { what: 'worker thread', names: 'Worker' },
  inspector: { what: 'inspector', names: 'open Session' },
  wasi: { what: 'WASI', names: 'WASI' },
  sqlite: { what: 'database', names: 'DatabaseSync' },
};
