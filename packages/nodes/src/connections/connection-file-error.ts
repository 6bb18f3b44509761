/** Connections that cannot be used: where they stand and what is wrong; never with a value of one. */
export class ConnectionFileError extends Error {}
