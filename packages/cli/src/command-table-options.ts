export const flow = { name: '<flow>', about: 'a flow: its folder, or its flow.dag.yaml' };
export const noColor = { flags: '--no-color', about: 'plain text (as NO_COLOR=1 does)' };
export const runsFolder = {
  flags: '--runs-dir <folder>',
  about: 'where runs are kept (default: .flow/runs, or FLOW_RUNS)',
};
export const connections = {
  flags: '--connections <file>',
  about: 'connections file (default: connections.yaml; see docs/connections.md)',
};
