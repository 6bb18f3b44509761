import type { JsonObject } from '@unroll/engine';
import { formatAge, formatCount, formatSize } from '@unroll/project/words';
import type { EngineStatus } from '@unroll/queue';
import { engineAddress, loadQueue, requireAddress } from '../../engine/with-engine.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { EngineStatusSettings } from '../../options/engine-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';
import { styleOf } from '../../text/style.ts';
import { table } from '../../text/table.ts';

/** `flow engine status`: how an engine stands; exit 1 where runs cannot go to it as it is. */
export async function status({ address, json, color }: EngineStatusSettings, io: Io): Promise<number> {
  const named = requireAddress(engineAddress({ engine: address }, io));
  const { engineStatus } = await loadQueue();
  const found = await engineStatus(named, { redactor: io.redactor, applicationName: 'flow engine status' });
  const { migration, missingRights, takesWrites, jobsRefusal } = found;
  const isUsable = missingRights.length === 0 && takesWrites && jobsRefusal === undefined;
  const isReady = migration.applied === migration.known && isUsable;
  if (json) io.stdout.write(stringifyJsonLine(statusJson(found, isReady)));
  else {
    io.stdout.write(statusText(found));
    const style = styleOf(io.stdout, io, color);
    const cells = found.workers.map(({ name, host, version, silentMs, works }) => [
      { text: name },
      { text: host },
      { text: version },
      { text: formatCount(Object.values(works).reduce((sum, rows) => sum + rows, 0)) },
      { text: formatAge(silentMs) },
    ]);
    const titles = ['worker', 'host', 'flow', 'rows', 'heard of'].map((title) => ({ title }));
    if (cells.length > 0) io.stdout.write(`\n${table(titles, cells, style.dim)}${lacksText(found)}`);
  }
  return isReady ? exitCode.done : exitCode.failed;
}

function lacksText({ workers }: EngineStatus): string {
  const lines = workers.flatMap(({ name, lacks }) =>
    Object.entries(lacks).map(([run, reason]) => `${name} cannot run ${run}: ${reason}\n`),
  );
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}

function statusText({
  shown,
  schema,
  serverVersion,
  migration,
  missingRights,
  takesWrites,
  jobsRefusal,
  runs,
  bytes,
  workers,
}: EngineStatus): string {
  const lines = [`PostgreSQL ${serverVersion} at ${shown}, schema ${schema}, ${formatSize(bytes)}`];
  if (migration.applied < migration.known) {
    const what =
      migration.applied === 0
        ? 'no engine yet'
        : `of an older flow, ${migration.applied} of ${migration.known} migrations`;
    lines.push(`${what}: flow engine init with the same address makes it one`);
    return `${lines.join('\n')}\n`;
  }
  if (!takesWrites)
    lines.push('it takes no writes: an engine needs the primary server, and default_transaction_read_only off');
  if (jobsRefusal !== undefined)
    lines.push(`its queue cannot be used, ${jobsRefusal}: flow engine init with the same address makes it`);
  for (const statement of missingRights)
    lines.push(`rights are missing; who owns the schema grants them: ${statement}`);
  const counted = Object.entries(runs).map(([state, count]) => `${formatCount(count)} ${state}`);
  lines.push(`runs: ${counted.length === 0 ? 'none' : counted.join(', ')}`);
  if (workers.length === 0) lines.push('no worker is at work: flow worker begins one');
  return `${lines.join('\n')}\n`;
}

function statusJson(found: EngineStatus, isReady: boolean): JsonObject {
  const {
    shown,
    schema,
    serverVersion,
    migration,
    missingRights,
    takesWrites,
    jobsRefusal = null,
    runs,
    bytes,
    workers,
  } = found;
  return {
    ...{ engine: shown, schema, postgres: serverVersion, is_ready: isReady, migration, missing_rights: missingRights },
    ...{ takes_writes: takesWrites, jobs_refusal: jobsRefusal, runs, bytes },
    workers: workers.map(({ silentMs, ...worker }) => ({ ...worker, silent_ms: Math.round(silentMs) })),
  };
}
