import { type ModelCall, type ModelRequest, type ModelResult, type ModelService, stringifyJson } from '@unroll/engine';
import { type CallLimit, type CallPermits, type PermitsOf, tokensOf } from './call-permits.ts';
import type { OpenService } from './find-service.ts';

/**
 * Holds every connection to its limit, whatever calls it. A request waits for its permit; its tokens are taken as those of
 * the calls before it were on average, at first by its length, and put right once the service has told them.
 */
export function limitServices(
  open: OpenService,
  limitOf: (connection: string) => CallLimit | undefined,
  permitsOf: PermitsOf,
): OpenService {
  const limited = new Map<string, ReturnType<OpenService>>();
  return (connection) => {
    const permits = permitsOf(connection.name, limitOf(connection.name));
    if (permits === undefined) return open(connection);
    const known = limited.get(connection.name);
    if (known !== undefined) return known;
    const opened = open(connection).then((service) => service && limitService(service, permits));
    limited.set(connection.name, opened);
    return opened;
  };
}

const charactersPerToken = 3;

function limitService(service: ModelService, permits: CallPermits): ModelService {
  const seen = { calls: 0, tokens: 0 };
  const expected = (request: ModelRequest): number =>
    seen.calls === 0 ? stringifyJson(request).length / charactersPerToken : seen.tokens / seen.calls;
  return {
    ...service,
    async call(api, request, call): Promise<ModelResult> {
      const permit = await permits.take(expected(request), call.signal);
      if (call.signal.aborted) {
        permit.end(undefined);
        return given(call);
      }
      let result: ModelResult | undefined;
      try {
        result = await service.call(api, request, call);
        return result;
      } finally {
        permit.end(result);
        if (result?.ok === true) {
          seen.calls += 1;
          seen.tokens += tokensOf(result);
        }
      }
    },
  };
}

/** A call that was given up while it waited was never made. */
function given({ signal }: ModelCall): ModelResult {
  const why = signal.reason instanceof Error ? signal.reason.message : 'the run was stopped';
  return { ok: false, error: { code: 'Canceled', message: why, retryable: true } };
}
