export { runStoreContract } from './run-store-contract.ts';
export { undefinedFields } from './undefined-fields.ts';
