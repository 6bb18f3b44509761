import type { NodeError } from '@unroll/engine';

type ReportedError = Pick<NodeError, 'code' | 'message' | 'cause'>;

const missingConnection = /^Tool load failed in '.*?': \(GetConnectionError\) Get connection '(.+?)' for node /;

/** Classes of what goes wrong where a tool is loaded; a template that is not there is met later. */
const unloadable =
  /^Tool load failed in '.*?': \((?:(PythonLoadError|NoToolDefined|MultipleToolsDefined|PackageToolNotFoundError|NotImplementedError|UserErrorException)\) |(InvalidSource)\) (?=Load tool failed))/;

/**
 * An error of making a flow ready, as Prompt flow's command line tells it: it loads the tools of all nodes to see which
 * connections they ask for, and looks for these, before its executor makes the first node ready
 * (`SubmitterHelper.resolve_connections`).
 */
export function commandLineError(error: ReportedError): ReportedError {
  const connection = missingConnection.exec(error.message)?.[1];
  if (connection !== undefined)
    return reportedError('ConnectionNotFoundError', `Connection '${connection}' is not found.`);
  const [start = '', code, source] = unloadable.exec(error.message) ?? [];
  const className = code ?? source;
  return className === undefined ? error : reportedError(className, error.message.slice(start.length));
}

function reportedError(code: string, message: string): ReportedError {
  return { code, message };
}
