export { doubleFlow, numbers } from './double-flow.ts';
export { type FreshDatabase, freshDatabase } from './fresh-database.ts';
export { type FreshEngine, freshEngine } from './fresh-engine.ts';
export { type Gate, gatedFlow, startGate, twiceFlow } from './gate-server.ts';
export { type PostgresServer, startPostgres } from './postgres-server.ts';
export { storeRun } from './store-run.ts';
export { startProxy, type TcpProxy } from './tcp-proxy.ts';
