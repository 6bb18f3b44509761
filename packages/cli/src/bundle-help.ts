/** What `flow --help` needs, a bundle of its own: the other takes longer to load than the help to print. */
export { printHelp } from './print-help.ts';
export { createProcessIo } from './process-io.ts';
