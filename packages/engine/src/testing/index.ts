export { runStoreContract } from './run-store-contract.ts';
