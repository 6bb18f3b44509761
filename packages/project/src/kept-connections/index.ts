export { type ConnectionDescription, type DescribedPlace, describeConnection } from './describe-connection.ts';
export type { AskSecret } from './fill-secrets.ts';
export { type ConnectionImport, importConnections } from './import-connections.ts';
export { createConnection, findDeletion, rotateConnectionKey, updateConnection } from './keep-connection.ts';
export { type TestedConnection, testNamedConnection } from './test-connection.ts';
export { doubtfulFields, readFieldsFile, type WrittenFields, withField } from './written-fields.ts';
