export { type CatalogWorld, runCatalogContract } from './run-catalog-contract.ts';
export { runInfo } from './run-info.ts';
export { type ContractCase, type RunLogMaker, runLogContract } from './run-log-contract.ts';
export { undefinedFields } from './undefined-fields.ts';
export { withoutRoot } from './without-root.ts';
