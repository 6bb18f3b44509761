import { argument, flag, flagOff, text, textOrNone, texts } from './option-kinds.ts';

/** Options that commands share, and the flow that most of them are given. */
export const flow = argument('<flow>', 'a flow: its folder, or its flow.dag.yaml');
export const color = flagOff('--no-color', 'plain text (as NO_COLOR=1 does)');
export const json = flag('--json', 'print JSON');
export const runsDir = text('--runs-dir <folder>', 'where runs are kept (default: .flow/runs, or FLOW_RUNS)');
export const engine = textOrNone(
  '--engine <address>',
  'run on workers over this PostgreSQL: postgres://… (default: FLOW_ENGINE; docs/engine.md)',
);
export const runsEngine = textOrNone(
  '--engine <address>',
  'a run that this PostgreSQL keeps, live too: postgres://… (default: FLOW_ENGINE, for runs that are not here)',
);
export const otlp = text(
  '--otlp <url>',
  'send spans and metrics to this OTLP receiver (default: OTEL_EXPORTER_OTLP_ENDPOINT; docs/telemetry.md)',
);
export const connectionsFile = text(
  '--connections <file>',
  'connections file (default: connections.yaml; see docs/connections.md)',
);
export const connections = texts(
  '--connections <file or node.key=value...>',
  'connections file (docs/connections.md); or for one run: ask.connection=mine ask.deployment_name=gpt-4o',
);
