import { openProject } from '@unroll/project';

const project = openProject('.');
const evaluation = project.gate('evals/privacy-agent');
for await (const event of evaluation) {
  if (event.type === 'run-started') console.log(`${event.total} rows`);
}
const { result, isPassed } = await evaluation.result;
for (const { name, summary, gate } of result.metrics) {
  console.log(name, summary.mean, gate?.reason ?? 'no gate');
}
process.exitCode = isPassed ? 0 : 1;
