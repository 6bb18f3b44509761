/** What the bundle gives to the file that starts it (bin/installed.js). */
export { main } from './main.ts';
export { createProcessIo, endProcess } from './process-io.ts';
